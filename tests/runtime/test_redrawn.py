"""`redrawn`: content that is drawn again without an event, and the arguments that `mounted` gets."""

import pytest
from frames import SmallPages
from shop_scripts import SHOP, Snippet

INSERTS = ["keep", "shadow('')"]
TICKING = """
  import { afterPrice, live, redrawn } from "awning";
  let calls = 0;
  window.drawn = () => calls;
  window.fails = false;
  const view = ({ variant }) => {
    if (window.fails) throw new Error("planned");
    return `<p>${variant ? variant.id : "base"}<b>${++calls}</b></p><input>`;
  };
  export default afterPrice(redrawn(5, live(view, {
    mounted: (root, args) => log(root.className, args.variant?.id, args.t("hello"), args.data?.days),
  })));
"""
WAIT = "await new Promise((done) => setTimeout(done, 60));"
ROOT = "const host = box().querySelector('.aw-sample'); const root = host.shadowRoot ?? host;"


def later(small, condition):
    small.frame.wait_for_function(f"() => {{ {ROOT} return {condition}; }}")


@pytest.fixture(params=INSERTS)
def small(request, small_pages: SmallPages, snippet: Snippet):
    return small_pages.load(
        SHOP + "product();",
        snippet(
            TICKING,
            'oneLanguage({ hello: "Hi" })',
            "data",
            request.param,
            before='const own = appData("app"); const data = (texts) => own("sample", { days: 3 }, texts);',
        ),
    )


def test_content_is_drawn_again_with_the_newest_arguments(small):
    later(small, "+root.querySelector('b').textContent > 3")
    small.run(f"() => {{ {ROOT} root.querySelector('input').value = 'typed'; select('3'); }}")
    later(small, "root.querySelector('p').textContent.startsWith('3')")
    count = small.run("() => drawn()")
    small.frame.wait_for_function(f"() => drawn() > {count} + 3")
    later(small, "root.querySelector('p').textContent.startsWith('3')")
    assert small.run(f"() => {{ {ROOT} return root.querySelector('input').value; }}") == "typed"
    assert small.log == ["aw-sample", None, "Hi", 3]
    assert small.console == []


def test_it_ends_when_the_page_removes_the_block(small):
    later(small, "root.querySelector('b')")
    small.run("() => box().replaceChildren()")
    assert small.run(f"async () => {{ const before = drawn(); {WAIT} return drawn() - before; }}") == 0
    assert small.run("() => box().children.length") == 0


def test_it_ends_when_the_render_function_throws_and_the_content_stays(small):
    later(small, "root.querySelector('b')")
    small.run("async () => { window.fails = true; " + WAIT + " }")
    assert len(small.console) == 1
    later(small, "root.querySelector('b')")


@pytest.mark.parametrize("insert", INSERTS)
def test_live_content_of_redrawn_is_drawn_again_too(small_pages: SmallPages, snippet: Snippet, insert):
    source = """
      import { afterPrice, live, redrawn } from "awning";
      let calls = 0;
      export default afterPrice(live(redrawn(5, () => `<b>${++calls}</b>`), { mounted: () => log("mounted") }));
    """
    small = small_pages.load(SHOP + "product();", snippet(source, insert=insert))
    later(small, "+root.querySelector('b').textContent > 3")
    assert small.log == ["mounted"]
