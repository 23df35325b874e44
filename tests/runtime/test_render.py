"""The arguments of a render function, its calls, and the use of its result."""

import pytest
from frames import Small, SmallPages
from shop_scripts import SHOP, Snippet


def test_price_widget_gets_item_variant_page_and_language(small_pages: SmallPages, snippet: Snippet) -> None:
    widget = "({ item, variant, page, language, data }) => { log({ item, variant, page, language, data }); return ''; }"
    small = small_pages.load(SHOP + "product(); select('3');", snippet(widget))
    first, second, repeated = small.log
    assert repeated == second
    assert first["variant"] is None
    assert first["item"]["price"] == 21
    assert second["variant"]["id"] == "3"
    assert (second["item"]["price"], second["item"]["weight"], second["item"]["stock"]) == (22.9, 210, 0)
    assert (second["item"]["id"], second["item"]["name"]) == ("1", "Linen T-shirt")
    assert second["page"] == {"language": "en", "page": "catalog"}
    assert (second["language"], second["data"]) == ("en", {})


def test_null_weight_of_a_variant_is_the_weight_of_the_product(
    small_pages: SmallPages, snippet: Snippet
) -> None:
    small = small_pages.load(
        SHOP + "product(); select('2');", snippet("({ item }) => { log(item.weight); return ''; }")
    )
    assert small.log == [180, 180, 180]


def test_unknown_variant_is_null(small_pages: SmallPages, snippet: Snippet) -> None:
    widget = "({ item, variant }) => { log([item.price, variant]); return ''; }"
    small = small_pages.load(SHOP + "product(); select('nothing');", snippet(widget))
    assert small.log[-1] == [21, None]


def test_shared_item_of_the_event_is_not_changed(small_pages: SmallPages, snippet: Snippet) -> None:
    small = small_pages.load(
        SHOP + "product(); select('3');", snippet("({ item }) => { item.price = 0; return ''; }")
    )
    assert small.run("() => item.price") == 21


CART = """
  import {{ {slot} }} from "awning";
  export default {slot}(({{ cart, currency }}) => `${{cart.total}} ${{currency.symbol}}`);
"""


def test_cart_widget_gets_cart_and_currency(small_pages: SmallPages, snippet: Snippet) -> None:
    small = small_pages.load(SHOP + "cart();", snippet(CART.format(slot="afterCart")))
    assert small.html == '<div data-order="1"><div class="aw-sample">67.3 €</div></div>'


def test_checkout_widget_gets_the_fresh_cart(small_pages: SmallPages, snippet: Snippet) -> None:
    small = small_pages.load(SHOP + "checkout(); total(60.92);", snippet(CART.format(slot="afterCheckout")))
    assert "60.92 €" in small.html


def test_falsy_total_is_used_as_a_total(small_pages: SmallPages, snippet: Snippet) -> None:
    small = small_pages.load(SHOP + "checkout(); total(0);", snippet(CART.format(slot="afterCheckout")))
    assert '"aw-sample">0 €<' in small.html


def test_widget_may_render_in_several_slots(small_pages: SmallPages, snippet: Snippet) -> None:
    widget = (
        'import { afterCart, afterCheckout } from "awning";'
        "export default [afterCart(() => 'cart'), afterCheckout(({ cart }) => 'checkout ' + cart.total)];"
    )
    code = snippet(widget)
    assert "cart</div>" in small_pages.load(SHOP + "cart();", code).html
    assert "checkout 5</div>" in small_pages.load(SHOP + "checkout(); total(5);", code).html


def test_init_is_called_once_in_the_base_callback(small_pages: SmallPages, snippet: Snippet) -> None:
    small = small_pages.load(
        SHOP + "product(); select('2'); select('3');", snippet("({ item }) => `${item.price}`")
    )
    assert [entry["event"] for entry in small.trace if entry["kind"] == "init"] == ["svc-content-after-price"]
    assert small.violations == []


def test_the_same_html_is_not_set_again(small_pages: SmallPages, snippet: Snippet) -> None:
    small = small_pages.load(SHOP + "product(); select('2'); select('2');", snippet("() => 'same'"))
    assert [detail for _, detail in small.kinds("content")] == ['<div class="aw-sample">same</div>']


@pytest.mark.parametrize("nothing", ["''", "null", "undefined", "false"])
def test_empty_result_adds_no_elements(small_pages: SmallPages, snippet: Snippet, nothing: str) -> None:
    assert small_pages.load(SHOP + "product(); select('2');", snippet(f"() => {nothing}")).html == ""


def test_content_can_become_empty_and_be_rendered_again(small_pages: SmallPages, snippet: Snippet) -> None:
    small = small_pages.load(SHOP + "product();", snippet("({ item }) => item.stock === 0 ? '' : 'in stock'"))
    assert "in stock" in small.html
    assert "in stock" not in small.run("() => { select('3'); return box().innerHTML; }")
    assert "in stock" in small.run("() => { select('2'); return box().innerHTML; }")


def test_a_new_host_gets_content_of_its_own(small_pages: SmallPages, snippet: Snippet) -> None:
    small = small_pages.load(
        SHOP
        + "product({ name: 'A' }); awningEmulator.host('#second', PRICE, { item: { ...item, name: 'B' }, page });",
        snippet("({ item, variant }) => item.name + (variant ? variant.id : '')"),
        body='<div id="box"></div><div id="second"></div>',
    )
    texts = "() => [box().textContent, document.getElementById('second').textContent]"
    assert small.run(texts) == ["A", "B"]
    small.run("() => select('2')")
    assert small.run(texts) == ["A", "B2"]


def test_update_before_the_base_event_is_used(small_pages: SmallPages, snippet: Snippet) -> None:
    stub = """
      const callbacks = {};
      svcPlugins = { subscribeEvent: (event, callback) => { callbacks[event] = callback; } };
      const init = () => ({ setContent: (html) => log(html) });
    """
    small = small_pages.load(SHOP + stub, snippet("({ variant }) => variant ? variant.id : 'none'"))
    small.run("""() => {
      callbacks[PRICE + "-updated"]({}, init, { item, page }, { item, selectedVariant: item.variants[1] });
      callbacks[PRICE]({}, init, { item, page });
      callbacks[PRICE]({}, init, { item, page });
    }""")
    assert small.log == ['<div class="aw-sample">3</div>', '<div class="aw-sample">none</div>']


LATER = ("noMessages", "", 'later("sample", replace)')


def test_latest_async_render_wins(small_pages: SmallPages, snippet: Snippet) -> None:
    widget = """({ variant }) => new Promise((done) => {
      setTimeout(() => done(variant ? variant.id : "base"), variant?.id === "2" ? 40 : 1);
    })"""
    code = SHOP + "product(); select('2'); afterReady(() => select('3'));"
    small = small_pages.load(code, snippet(widget, *LATER), configure="{'repeat-first-update': false}")
    small.frame.wait_for_function("() => box().textContent === '3'")
    small.run("() => new Promise((done) => setTimeout(done, 60))")
    assert small.run("() => box().textContent") == "3"
    assert small.violations == []


MEANWHILE = """
  import { afterPrice, live, meanwhile } from "awning";
  const render = () => meanwhile("wait", new Promise((done, fail) => calls.push([done, fail])));
  export default afterPrice(RENDER);
"""
TEXT = "() => (box().querySelector('.aw-sample')?.shadowRoot?.lastChild ?? box()).textContent"
INSERTS = pytest.mark.parametrize("insert", ["replace", "keep", "shadow('')"])


def open_meanwhile(small_pages: SmallPages, snippet: Snippet, insert: str, render: str = "render") -> Small:
    widget = MEANWHILE.replace("RENDER", render)
    return small_pages.load(
        SHOP + "var calls = []; product();", snippet(widget, "noMessages", "", f'later("sample", {insert})')
    )


@INSERTS
def test_meanwhile_content_is_only_there_before_the_first_result(
    small_pages: SmallPages, snippet: Snippet, insert: str
) -> None:
    small = open_meanwhile(small_pages, snippet, insert)
    assert small.run(TEXT) == "wait"
    small.run("() => calls.at(-1)[0]('first')")
    assert small.run(TEXT) == "first"
    small.run("() => select('3')")
    assert small.run(TEXT) == "first"
    small.run("() => calls.at(-1)[0]('second')")
    assert small.run(TEXT) == "second"
    assert small.violations == []


@INSERTS
def test_meanwhile_content_is_removed_when_the_result_fails(
    small_pages: SmallPages, snippet: Snippet, insert: str
) -> None:
    small = open_meanwhile(small_pages, snippet, insert)
    small.run("() => select('3')")
    small.run("() => calls[0][1](new Error('of an earlier call'))")
    assert small.run(TEXT) == "wait"
    small.run("() => calls.at(-1)[1](new Error('no answer'))")
    assert small.run(TEXT) == ""


def test_meanwhile_content_has_the_behaviour_of_live(small_pages: SmallPages, snippet: Snippet) -> None:
    render = "live(render, { mounted: (root) => log(root.textContent) })"
    small = open_meanwhile(small_pages, snippet, "keep", render)
    assert small.log == ["wait"]
    small.run("() => calls.at(-1)[0]('first')")
    assert small.run(TEXT) == "first"
    assert small.log == ["wait"]


def test_a_late_result_keeps_its_position(small_pages: SmallPages, snippet: Snippet) -> None:
    late = snippet("() => new Promise((done) => setTimeout(() => done('late'), 5))", *LATER, name="late")
    small = small_pages.load(SHOP + "product();", late, snippet("() => 'early'", name="early"))
    small.frame.wait_for_function("() => box().textContent === 'lateearly'")


def test_two_copies_of_one_app_are_independent(small_pages: SmallPages, snippet: Snippet) -> None:
    code = snippet("({ item }) => `${item.price}`")
    small = small_pages.load(SHOP + "product(); select('3');", code, code)
    assert small.run("() => [...box().children].map((one) => one.textContent)") == ["22.9", "22.9"]
    assert small.violations == []


def test_runtime_adds_no_globals(small_pages: SmallPages, snippet: Snippet) -> None:
    small = small_pages.load(
        "const before = Object.getOwnPropertyNames(window);", SHOP + "product();", snippet("() => 'x'")
    )
    assert (
        small.run("() => Object.getOwnPropertyNames(window).filter((name) => !before.includes(name))") == []
    )


def test_missing_page_and_language_cause_no_error(small_pages: SmallPages, snippet: Snippet) -> None:
    widget = "({ page, language }) => { log([page, language]); return 'x'; }"
    small = small_pages.load(SHOP + "awningEmulator.host('#box', PRICE, { item });", snippet(widget))
    assert small.log == [[{}, None]]
