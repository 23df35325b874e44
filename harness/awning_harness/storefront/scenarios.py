"""The scenarios: named situations of the storefront. Each has other apps, as small snippets, or page options.

`?scenario=<name>` sets a scenario on any page. `before` and `after` are the body snippets of apps that are installed
before and after the app under test; `head` is a snippet in the head.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from awning.contract import SLOTS, Dialect
from awning.contract.slots import PRODUCT_TOPIC, slot_about

NEIGHBOUR_FAILURE = "a neighbouring app failed"
"""The message of the exception that another app throws. Tests of a widget leave it out of the page's errors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One situation. `page` is the path, below the language, of a page that shows it; `shows` describes the effect."""

    name: str
    title: str
    shows: str
    page: str = "product/1"
    head: str = ""
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    two_carts: bool = False
    """Whether the side cart is filled on the cart page, so that the cart's host has two containers."""
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def in_dialect(scripts: Iterable[str], dialect: Dialect) -> tuple[str, ...]:
    """Return snippets with the names of a dialect instead of the specification's."""
    plain = Dialect()
    return tuple(
        script.replace(plain.global_object, dialect.global_object).replace(
            f'"{plain.event_prefix}', f'"{dialect.event_prefix}'
        )
        for script in scripts
    )


def _script(body: str, app: str = "") -> str:
    """Return the snippet of an app. The inspector shows the app under the name `app`."""
    name = f' data-app="{app}"' if app else ""
    return f"<script{name}>(function () {{\n{body.strip()}\n}})();</script>"


_BASE = SLOTS[slot_about(PRODUCT_TOPIC)].event(Dialect())
_NOTE = '<p data-foreign="{name}" style="margin:.5rem 0;color:#5b5346">{text}</p>'


def _note(name: str, text: str) -> str:
    return _NOTE.format(name=name, text=text)


_LATE = _script(
    f"""
  svcPlugins.subscribeEvent("{_BASE}", function (event, init) {{
    var handler = init();
    setTimeout(function () {{ handler.setContent('{_note("late", "Reviews, loaded late")}'); }}, 300);
  }});
""",
    app="late",
)
_THROWS = _script(
    f"""
  svcPlugins.subscribeEvent("{_BASE}", function () {{ throw new Error("{NEIGHBOUR_FAILURE}"); }});
""",
    app="throws",
)
_SUBSCRIBES_LATE = _script(f"""
  setTimeout(function () {{
    svcPlugins.subscribeEvent("{_BASE}", function (event, init) {{
      init().setContent('{_note("late-subscriber", "Subscribed after the page was ready")}');
    }});
  }}, 200);
""")
_TWICE = _script(
    f"""
  function show(event, init) {{ init().setContent('{_note("twice", "Subscribed twice")}'); }}
  svcPlugins.subscribeEvent("{_BASE}", show);
  svcPlugins.subscribeEvent("{_BASE}", show);
""",
    app="subscribed twice",
)
_INIT_IN_UPDATED = _script(
    f"""
  svcPlugins.subscribeEvent("{_BASE}-updated", function (event, init, params, updated) {{
    var html = '{_note("init-in-updated", "One more block for variant %")}';
    init().setContent(html.replace("%", updated.selectedVariantId));
  }});
""",
    app="init in updated",
)
_INLINE_SCRIPT = _script(
    f"""
  svcPlugins.subscribeEvent("{_BASE}", function (event, init) {{
    window.foreignRuns = 0;
    var script = '<scr' + 'ipt>window.foreignRuns += 1;</scr' + 'ipt>';
    init().setContent('{_note("inline-script", "Content with a script")}' + script);
  }});
""",
    app="inline script",
)
_EMPTIES = _script(
    f"""
  var handler;
  svcPlugins.subscribeEvent("{_BASE}", function (event, init) {{
    handler = init();
    handler.setContent('{_note("empties", "Shown until another variant is chosen")}');
  }});
  svcPlugins.subscribeEvent("{_BASE}-updated", function () {{ handler.setContent(''); }});
""",
    app="empties its block",
)
_CHANGES_CART = _script("""
  function press(step, done) {
    var cart = document.querySelector("[data-cart]"), button = cart && cart.querySelector("[data-step='" + step + "']");
    if (!button || !document.body.dataset.cartChanges) return;
    new MutationObserver(function (_, observer) {
      observer.disconnect();
      setTimeout(done, 0);
    }).observe(cart, { childList: true });
    button.click();
  }
  addEventListener("load", function () {
    press("1", function () { press("-1", function () {}); });
  });
""")
_READY_THROWS = _script("""
  jQuery(function () { throw new Error("a foreign ready handler failed"); });
""")

_CROWD = """
  {slots}.forEach(function (slot) {{
    svcPlugins.subscribeEvent("svc-content-" + slot, function (event, init) {{
      {body}
    }});
  }});
"""
_CROWD_NOTE = """
      var handler = init(), note = document.createElement("{tag}");
      note.dataset.foreign = "{name}";
      note.textContent = "{text}";
"""
_CROWD_LATE = _CROWD_NOTE + "      setTimeout(function () {{ handler.setContent(note); }}, 300);"
_CROWD_NAMESAKE = _CROWD_NOTE + "      note.className = {classes};\n      handler.setContent(note);"
_NAMESAKE_STYLE = (
    "color:#7a1f4d;background:#fdf3d8;font:italic 700 14px/1.3 Georgia,serif;"
    "letter-spacing:.04em;text-transform:uppercase;text-align:center"
)


def make_crowd(classes: Sequence[str]) -> Scenario:
    """Return three other apps: one is late, one has the class names `classes`, one throws.

    They insert elements and not strings, so that they also run under trusted types. The one that throws comes last,
    because later subscribers are not called.
    """

    def app(body: str, name: str, **values: str) -> str:
        return _script(
            _CROWD.format(slots=json.dumps([*SLOTS]), body=body.format(name=name, **values).strip()), app=name
        )

    late = app(_CROWD_LATE, tag="p", name="late", text="Reviews, loaded late")
    same_names = app(
        _CROWD_NAMESAKE,
        tag="div",
        name="same-class-names",
        text="An app with the same class names",
        classes=json.dumps(" ".join(classes)),
    )
    style = (
        f"<style>{','.join(f'.{name}' for name in classes)}{{{_NAMESAKE_STYLE}}}</style>" if classes else ""
    )
    throws = app(f'throw new Error("{NEIGHBOUR_FAILURE}");', name="throws")
    return Scenario(
        name="crowded",
        title="Other apps around",
        shows="One is late, one has the same class names, one throws.",
        before=(late, style + same_names),
        after=(throws,),
    )


SCENARIOS: Mapping[str, Scenario] = MappingProxyType(
    {
        scenario.name: scenario
        for scenario in (
            Scenario(
                name="late-neighbour",
                title="Two apps on one container; the first sets its content late",
                shows="The late app's block still comes first, because initContentHandler fixed its position.",
                before=(_LATE,),
            ),
            Scenario(
                name="throwing-neighbour",
                title="An app that throws first",
                shows="Subscribers after the one that throws are not called in that delivery.",
                before=(_THROWS,),
            ),
            Scenario(
                name="late-subscriber",
                title="A late subscriber",
                shows="The last delivery is replayed inside subscribeEvent; the block comes after the others.",
                after=(_SUBSCRIBES_LATE,),
            ),
            Scenario(
                name="subscribed-twice",
                title="One app subscribing twice",
                shows="The same callback is called twice and makes two blocks: the init-once violation.",
                after=(_TWICE,),
            ),
            Scenario(
                name="init-in-updated",
                title="An app that calls initContentHandler in -updated",
                shows="Every update adds one more block: the updated-pair violation.",
                after=(_INIT_IN_UPDATED,),
            ),
            Scenario(
                name="inline-script",
                title="Content with an inline script",
                shows="The script runs when the content enters the document.",
                after=(_INLINE_SCRIPT,),
            ),
            Scenario(
                name="emptied",
                title="An app that empties its block with setContent('')",
                shows="The wrapper stays as an empty element; its neighbours do not move.",
                before=(_EMPTIES,),
            ),
            Scenario(
                name="language-switch",
                title="Switching the language",
                shows="The language switch leads to the same product, cart and options in the other language.",
                options=MappingProxyType({"cart": "P3x3"}),
            ),
            Scenario(
                name="cart-replaced",
                title="A quantity that is changed and changed back in place",
                shows="The cart's HTML is replaced twice, each time with a new host: each app is called anew.",
                page="cart",
                after=(_CHANGES_CART,),
            ),
            Scenario(
                name="two-carts",
                title="A cart and an open side cart",
                shows="The host of the cart has two containers: the last one has the block, the first one a copy.",
                page="cart",
                two_carts=True,
            ),
            Scenario(
                name="throwing-ready-handler",
                title="A foreign ready handler that throws",
                shows="With jQuery 2.2.4 only what was queued before it arrives: at most the base event.",
                head=_READY_THROWS,
            ),
        )
    }
)
