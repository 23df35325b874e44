"""A shopper's input in a widget survives an update: focus, caret, typed values, open details."""

import pytest
from frames import SmallPages
from shop_scripts import SHOP, Snippet

FORM = """({ variant }) => `
  <p>${variant ? variant.id : 'base'}</p>
  ${variant && variant.id === '3' ? '<p class="note">Only one left</p>' : ''}
  <details${variant && variant.id === '4' ? ' open' : ''}>
    <summary>More</summary><input name="city" value="Riga">
  </details>
  <label><input type="checkbox" name="gift"></label>
  <textarea name="text"></textarea>
  <select name="size"><option>S</option><option>M</option></select>
  <div id="scroll" style="height:20px;overflow:auto"><div style="height:200px"></div></div>`"""

INSERTS = {"keep": "keep", "shadow": 'shadow("p { color: rgb(1, 2, 3) }")'}
ROOT = "const root = box().firstChild.firstChild.shadowRoot ?? box().firstChild.firstChild;"


def insert(how: str) -> tuple[str, ...]:
    return ("noMessages", "", INSERTS[how])


@pytest.mark.parametrize("how", INSERTS)
def test_a_shoppers_input_survives_an_update(small_pages: SmallPages, snippet: Snippet, how: str) -> None:
    small = small_pages.load(SHOP + "product();", snippet(FORM, *insert(how)))
    results = small.run(
        f"""() => {{ {ROOT}
          const of = (name) => root.querySelector(`[name=${{name}}]`);
          root.querySelector("details").open = true;
          of("city").value = "Cēsis"; of("gift").checked = true; of("text").value = "typed"; of("size").value = "M";
          of("city").focus(); of("city").setSelectionRange(1, 3);
          root.querySelector("#scroll").scrollTop = 50;
          const before = of("city");
          select("3");
          return [of("city") === before, of("city").value, of("gift").checked, of("text").value, of("size").value,
            root.activeElement ? root.activeElement.name : document.activeElement.name, of("city").selectionStart,
            of("city").selectionEnd, root.querySelector("details").open, root.querySelector("#scroll").scrollTop,
            root.querySelector("p").textContent, !!root.querySelector(".note")];
        }}"""
    )
    assert results == [True, "Cēsis", True, "typed", "M", "city", 1, 3, True, 50, "3", True]


@pytest.mark.parametrize("how", INSERTS)
def test_template_can_open_and_close_details(small_pages: SmallPages, snippet: Snippet, how: str) -> None:
    small = small_pages.load(
        SHOP + "item.variants.push({ id: '4' }); product();", snippet(FORM, *insert(how))
    )
    opened = small.run(
        f"""() => {{ {ROOT} const is = () => root.querySelector("details").open;
        return [is(), (select("4"), is()), (select("2"), is())]; }}"""
    )
    assert opened == [False, True, False]


HANDLED = """({ variant }) => `
  <p title="${variant ? variant.id : 'base'}" class="note">${variant ? variant.id : 'base'}</p>
  <output>100</output>
  <ul class="${variant ? 'chosen' : 'none'}"><li>${variant && variant.id === '4' ? 'new' : 'old'}</li></ul>`"""


@pytest.mark.parametrize("how", INSERTS)
def test_changes_by_handlers_survive_until_the_template_renders_another_value_there(
    small_pages: SmallPages, snippet: Snippet, how: str
) -> None:
    small = small_pages.load(
        SHOP + "item.variants.push({ id: '4' }); product();", snippet(HANDLED, *insert(how))
    )
    results = small.run(
        f"""() => {{ {ROOT}
          const one = (selector) => root.querySelector(selector);
          const now = () => [one("output").value, one("p").className, one("p").title, one("p").hasAttribute("data-set"),
            one("ul").className, [...one("ul").children].map((item) => item.textContent).join()];
          one("output").value = "95";
          one("p").classList.add("is-set"); one("p").setAttribute("data-set", ""); one("p").title = "by the handler";
          one("ul").append(Object.assign(document.createElement("li"), {{ textContent: "added" }}));
          select("2");
          const after = now();
          select("4");
          return [after, now()];
        }}"""
    )
    assert results == [
        ["95", "note is-set", "2", True, "chosen", "old,added"],
        ["95", "note is-set", "4", True, "chosen", "new"],
    ]


MORPHS = [
    ("<b>a</b>", "<i>a</i>"),
    ("<b>a</b><i>b</i>", "<i>b</i>"),
    ("a", "<b>a</b>c"),
    ('<b class="x" title="y">a</b>', '<b lang="lv" class="z">a</b>'),
    (
        '<ul><li id="a">a</li><li id="b">b</li><li id="c">c</li></ul>',
        '<ul><li id="c">c</li><li id="a">A</li></ul>',
    ),
    ("<p>1</p><p>2</p><p>3</p>", "<p>2</p>"),
    ("<p>1</p>", "<p>1</p><p>2</p><!--x--><p>3</p>"),
    ('<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>', '<svg viewBox="0 0 2 2"><use xlink:href="#a"/></svg>'),
    ("<table><tr><td>1</td></tr></table>", "<table><tr><td>1</td><td>2</td></tr></table>"),
    ("x", ""),
]


MORPHED = [
    *(("keep", before, after) for pair in MORPHS for before, after in (pair, pair[::-1])),
    ("shadow", *MORPHS[0]),
    ("shadow", *MORPHS[-1]),
]
"""Content in the block and in a shadow root is patched by one function, so the latter has two rows."""


@pytest.mark.parametrize(("how", "before", "after"), MORPHED)
def test_patched_content_equals_fresh_content(
    small_pages: SmallPages, snippet: Snippet, how: str, before: str, after: str
) -> None:
    code = snippet(f"({{ variant }}) => variant ? {after!r} : {before!r} || ' '", *insert(how))
    small = small_pages.load(SHOP + "product();", code)
    assert small.run(
        f"""() => {{ {ROOT} select("2");
        const fresh = document.createElement("div"); fresh.innerHTML = {after!r};
        const now = root.mode ? root.lastChild : root;
        const copy = document.createElement("div"); copy.append(...now.cloneNode(true).childNodes);
        return copy.isEqualNode(fresh); }}"""
    )


def test_reordered_items_keep_their_elements_and_the_focus(small_pages: SmallPages, snippet: Snippet) -> None:
    item = '<input id="{0}">'
    before, after = ("".join(item.format(name) for name in names) for names in ("abc", "cab"))
    code = snippet(f"({{ variant }}) => variant ? {after!r} : {before!r}", *insert("keep"))
    small = small_pages.load(SHOP + "product();", code)
    for name in "abc":
        focused = small.run(
            """(name) => { const it = document.getElementById(name); it.focus();
            select(name === 'b' ? 'nothing' : '2'); return document.activeElement === it; }""",
            name,
        )
        assert focused, name


def test_updates_do_not_touch_what_did_not_change(small_pages: SmallPages, snippet: Snippet) -> None:
    small = small_pages.load(SHOP + "product();", snippet(FORM, *insert("keep")))
    changed = small.run(
        f"""() => {{ {ROOT} const seen = new MutationObserver(() => {{}});
        seen.observe(box(), {{ subtree: true, childList: true, attributes: true, characterData: true }});
        select("2"); return seen.takeRecords().map((one) => one.type); }}"""
    )
    assert changed == ["characterData"]


@pytest.mark.parametrize(
    ("how", "profile"),
    [("keep", "documented"), ("keep", "observed"), ("keep", "hostile"), ("shadow", "hostile")],
)
def test_patching_works_in_every_profile(
    small_pages: SmallPages, snippet: Snippet, how: str, profile: str
) -> None:
    code = snippet(FORM, *insert(how))
    small = small_pages.load(
        code, SHOP + "product();", jquery=profile == "observed", configure=f"'{profile}'"
    )
    small.run("() => select('3')")
    text = small.run(f"() => {{ {ROOT} return root.querySelector('p').textContent; }}")
    assert text == "3"


def test_removed_content_is_restored(small_pages: SmallPages, snippet: Snippet) -> None:
    small = small_pages.load(SHOP + "product();", snippet(FORM, *insert("keep")))
    assert small.run(
        "() => { box().firstChild.textContent = ''; select('3'); return box().textContent.includes('3'); }"
    )


@pytest.mark.parametrize("how", INSERTS)
def test_block_that_the_page_has_removed_comes_back_with_the_same_content(
    small_pages: SmallPages, snippet: Snippet, how: str
) -> None:
    source = "() => window.empty ? '' : '<p>always</p>'"
    small = small_pages.load(SHOP + "product();", snippet(source, *insert(how)))
    small.run("() => { box().replaceChildren(); select('3'); }")
    assert small.run(f"() => {{ {ROOT} return root.querySelectorAll('p').length; }}") == 1
    small.run("() => { window.empty = 1; select('2'); box().replaceChildren(); select('3'); }")
    assert small.run("() => box().children.length") == 0


LIVE = """
  import { afterPrice, live } from "awning";
  let mounted = 0;
  const view = ({ variant }) => `<button class="more">${variant ? variant.id : 'base'} <b>more</b></button>`;
  export default afterPrice(live(view, {
    mounted: (root) => log('mounted', ++mounted, root.className),
    on: {
      "click .more": (event, element) => log(event.type, element.textContent),
      "click b": () => { throw new Error("handler"); },
    },
  }));
"""


@pytest.mark.parametrize("how", INSERTS)
def test_handlers_survive_updates_and_mounted_is_called_once(
    small_pages: SmallPages, snippet: Snippet, how: str
) -> None:
    small = small_pages.load(SHOP + "product(); select('2');", snippet(LIVE, *insert(how)))
    small.run(
        f"() => {{ {ROOT} root.querySelector('b').click(); select('3'); root.querySelector('b').click(); }}"
    )
    assert small.log == ["mounted", 1, "aw-sample", "click", "2 more", "click", "3 more"]
    assert small.errors == []
    assert len(small.console) == 2


def test_style_of_a_shadow_root_does_not_affect_the_page(small_pages: SmallPages, snippet: Snippet) -> None:
    code = snippet("() => '<p style=\"font-size:2rem\">x</p>'", *insert("shadow"))
    small = small_pages.load(
        SHOP + "product();", code, body='<style>p { color: red }</style><p id="out"></p><div id="box"></div>'
    )
    styles = small.run(
        f"""() => {{ {ROOT} const inside = getComputedStyle(root.querySelector("p"));
        return [inside.color, inside.fontSize, getComputedStyle(document.getElementById("out")).color]; }}"""
    )
    assert styles == ["rgb(1, 2, 3)", "32px", "rgb(255, 0, 0)"]
    assert small.frame.locator("#box p").inner_text() == "x"


CSP = (
    '<meta http-equiv="Content-Security-Policy" '
    """content="require-trusted-types-for 'script'; trusted-types awning">"""
)


@pytest.mark.parametrize("how", ["replace", *INSERTS])
def test_content_is_updated_under_trusted_types_without_jquery(
    small_pages: SmallPages, snippet: Snippet, how: str
) -> None:
    code = snippet(FORM, *(insert(how) if how in INSERTS else ()))
    small = small_pages.load(SHOP + "product();", code, head=CSP)
    text = f"() => {{ {ROOT} return root.querySelector('p').textContent; }}"
    assert small.run(text) == "base"
    small.run("() => select('3')")
    assert small.run(text) == "3"
    assert not [line for line in small.console if "sample" in line]
    # The runtime tries one string to learn of the policy. The browser reports this string and no other.
    assert len([line for line in small.console if "TrustedHTML" in line]) == 1, small.console
