"""A widget that fails keeps its last good content, logs one error, and does not affect others."""

import pytest
from frames import SmallPages
from shop_scripts import SHOP, Snippet

NEIGHBOUR = """
  svcPlugins.subscribeEvent(PRICE, () => log('neighbour'));
  svcPlugins.subscribeEvent(PRICE + '-updated', () => log('u'));
"""
ON_VARIANT = "({ variant }) => { if (variant) throw new Error('broken'); return 'good'; }"

FAILING = {
    "throws": "() => { throw new Error('broken'); }",
    "rejects": "() => Promise.reject(new Error('broken'))",
    "reads what is not there": "({ page }) => page.broken.language",
}


@pytest.mark.parametrize("render", FAILING.values(), ids=FAILING)
def test_failing_render_does_not_throw_to_the_page(
    small_pages: SmallPages, snippet: Snippet, render: str
) -> None:
    insert = ("noMessages", "", 'later("sample", replace)') if "Promise" in render else ()
    small = small_pages.load(SHOP, snippet(render, *insert), NEIGHBOUR + "product(); select('2');")
    assert small.run("() => __log") == ["neighbour", "u", "u"]
    assert small.html == ""
    assert small.errors == []
    assert len(small.console) == 1
    assert small.console[0].startswith("error: sample")
    assert "Error: " in small.console[0]
    assert small.kinds("exception") == []


def test_thrown_undefined_is_reported_once(small_pages: SmallPages, snippet: Snippet) -> None:
    code = snippet("() => { throw undefined; }")
    assert small_pages.load(SHOP + "product(); select('2');", code).console == ["error: sample undefined"]


def test_last_good_content_stays(small_pages: SmallPages, snippet: Snippet) -> None:
    small = small_pages.load(SHOP + "product(); select('2'); select('3');", snippet(ON_VARIANT))
    assert small.run("() => box().textContent") == "good"
    assert len(small.console) == 1


def test_widget_renders_again_after_a_failed_update(small_pages: SmallPages, snippet: Snippet) -> None:
    widget = "({ variant }) => { if (variant?.id === '2') throw Error('broken'); return variant ? variant.id : ''; }"
    small = small_pages.load(SHOP + "product(); select('2'); select('3');", snippet(widget))
    assert small.run("() => box().textContent") == "3"


def test_failing_set_content_is_reported_and_not_thrown(small_pages: SmallPages, snippet: Snippet) -> None:
    stub = """
      svcPlugins = { subscribeEvent: (event, callback) => {
        if (event === PRICE) callback({}, () => ({ setContent() { throw new Error("service"); } }), { item, page });
      } };
    """
    small = small_pages.load(SHOP + stub, snippet("() => 'x'"))
    assert small.run("() => 1") == 1
    assert small.errors == []
    assert len(small.console) == 1
    assert "service" in small.console[0]


def test_failing_init_is_reported_and_not_thrown(small_pages: SmallPages, snippet: Snippet) -> None:
    stub = """
      svcPlugins = { subscribeEvent: (event, callback) => {
        if (event === PRICE) callback({}, () => { throw new Error("service"); }, { item, page });
      } };
    """
    small = small_pages.load(SHOP + stub, snippet("() => 'x'"))
    assert small.run("() => 1") == 1
    assert small.errors == []
    assert "service" in small.console[0]


def test_page_without_the_service_gets_no_error(small_pages: SmallPages, snippet: Snippet) -> None:
    small = small_pages.load(snippet("() => 'x'"), emulator=False)
    assert small.log == []
    assert (small.errors, small.console) == ([], [])


def test_service_may_be_a_constant_of_a_script(small_pages: SmallPages, snippet: Snippet) -> None:
    constant = "const svcPlugins = { subscribeEvent: (event) => log(event) };"
    small = small_pages.load(constant, snippet("() => 'x'"), emulator=False)
    assert small.log == ["svc-content-after-price", "svc-content-after-price-updated"]
