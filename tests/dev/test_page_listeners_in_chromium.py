"""Listeners that a widget adds outside of its block: after a save, only those of the new code are called."""

from dataclasses import replace

from playwright.sync_api import Page, expect

from awning.pipeline.live import WidgetPatch

LISTENERS = {
    "window": ("window.addEventListener('probe', note)", "window.dispatchEvent(new Event('probe'))"),
    "document": ("document.addEventListener('ask', note)", "document.dispatchEvent(new Event('ask'))"),
    "body": (
        "document.body.addEventListener('probe', note)",
        "document.body.dispatchEvent(new Event('probe'))",
    ),
    "form of the shop": (
        "document.querySelector('form').addEventListener('probe', note)",
        "document.querySelector('form').dispatchEvent(new Event('probe'))",
    ),
    "media query": (
        "(window.wide ??= matchMedia('(width > 1px)')).addEventListener('change', note)",
        "window.wide.dispatchEvent(new Event('change'))",
    ),
    "media query, the older method": (
        "(window.tall ??= matchMedia('(height > 1px)')).addListener(note)",
        "window.tall.dispatchEvent(new Event('change'))",
    ),
    "jQuery": ("jQuery(document).on('asked', note)", "document.dispatchEvent(new Event('asked'))"),
    "jQuery, delegated": (
        "jQuery(document).on('asked-for', 'form', note)",
        "document.querySelector('form').dispatchEvent(new Event('asked-for', { bubbles: true }))",
    ),
    "after an await": (
        "await null; document.addEventListener('late', note)",
        "document.dispatchEvent(new Event('late'))",
    ),
}


def body(text: str) -> str:
    """A snippet that shows `text` and adds all listeners. A listener that is called adds its name to `window.noted`."""
    added = "\n".join(
        f"    {{ const note = () => window.noted.push('{name}');\n    {add}; }}"
        for name, (add, _) in LISTENERS.items()
    )
    return f"""<script>(function () {{
  // widgets/hello/widget.ts
  window.noted = [];
  svcPlugins.subscribeEvent("svc-content-after-price", async function (event, init) {{
    init().setContent("<p>{text}</p>");
{added}
    document.documentElement.dataset.ready = "{text}";
  }});
}})();</script>"""


def noted(tab: Page) -> list[str]:
    for _, trigger in LISTENERS.values():
        tab.evaluate(f"() => {{ {trigger} }}")
    names: list[str] = tab.evaluate("window.noted.splice(0)")
    return names


def test_only_listeners_of_the_new_code_are_called_after_each_kind_of_save(served, workshop, tab: Page):
    whole = workshop.built({"body.html": body("one")})
    workshop.session.apply(whole)
    tab.goto(f"{served.url}/1/en/product/1")
    tab.locator("awning-inspector[data-revision]").wait_for(state="attached")
    assert noted(tab) == list(LISTENERS)
    tab.evaluate("() => jQuery(document).on('asked', () => window.noted.push('the shop'))")
    patch = WidgetPatch(widget="hello", bodies={None: body("two")})
    served.send(replace(whole, built=None, patch=patch))
    expect(tab.locator("html[data-ready=two]")).to_be_attached()
    assert sorted(noted(tab)) == sorted([*LISTENERS, "the shop"])
    served.send(workshop.built({"body.html": body("three")}))
    expect(tab.locator("html[data-ready=three]")).to_be_attached()
    assert sorted(noted(tab)) == sorted([*LISTENERS, "the shop"])
