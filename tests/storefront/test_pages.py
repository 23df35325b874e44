"""The content and structure of pages, without a browser."""

import json
import re

import pytest
from bs4 import BeautifulSoup

from awning.workspace.store.store_files import shipped_store
from awning_harness.storefront import FixedSnippets, storefront_app
from awning_harness.storefront.scenarios import SCENARIOS
from awning_harness.storefront.snippet_source import FixedSource, FixedWebsite

STORE = shipped_store()
LANGUAGES = tuple(STORE.languages)
PAGES = [
    "",
    *(f"product/{p.id}" for p in STORE.products),
    "cart",
    "cart?cart=empty",
    "checkout",
    "order",
    "nowhere",
]
HOSTILE_NAME = STORE.find_product("P6").title["en"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_complete_and_accessible_in_every_language(app_with, ask, path, language):
    answer = ask(app_with(languages=LANGUAGES), f"/1/{language}/{path}")
    soup = answer.soup
    assert answer.status == (404 if path == "nowhere" else 200)
    assert soup.html["lang"] == language
    assert soup.html["dir"] == ("rtl" if language == "ar" else "ltr")
    assert len(soup.select("main")) == 1
    assert len(soup.select("h1")) == 1
    ids = [tag["id"] for tag in soup.select("[id]")]
    assert len(ids) == len(set(ids))
    for field in soup.select("input:not([type=hidden])"):
        assert field.find_parent("label") or field.get("aria-label"), field
    for tag in soup.select("a, button"):
        assert tag.get_text(strip=True) or tag.get("aria-label"), tag
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", answer.text), "no request leaves the shop"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_all_texts(language):
    texts = STORE.languages[language].texts
    assert texts.keys() == STORE.languages["en"].texts.keys()
    assert all(texts.values())


def test_scripts_come_in_the_observed_order(get):
    scripts = [s.get("src") or s.get_text() for s in get("/1/en/product/1").soup.head.select("script")]
    kinds = [re.sub(r"^/assets/|\.[0-9a-f]{8}(?=\.js)", "", s) for s in scripts]
    assert kinds[0] == 'var page={"language":"en","page":"catalog"};'
    assert kinds[1:3] == ["jquery-2.2.4.min.js", "emulator.js"]
    assert kinds[-1] == "shop.js"
    assert not any(
        s.has_attr("async") or s.has_attr("defer") for s in get("/1/en/product/1").soup.select("script")
    )


def test_container_is_in_the_price_box_outside_of_the_form_and_has_white_space_and_no_id(get):
    soup = get("/1/en/product/1").soup
    box = soup.select_one(".price-box")
    container = box.select_one(".placeholder-after-price")
    assert container.get_text().isspace()
    assert container.get("id") is None
    assert box.find_parent("form") is None
    assert box in soup.select_one("[data-buy]").find_previous_siblings()


def test_script_of_the_host_follows_the_price_box(get):
    script = get("/1/en/product/1").soup.select_one(".price-box").find_next_sibling()
    assert script.name == "script"
    assert '"svc-content-after-price"' in script.get_text()


def test_product_on_request_has_no_price_box_and_fires_no_event(get):
    text = get("/1/en/product/7").text
    assert "price-box" not in text
    assert "svc-content" not in text


@pytest.mark.parametrize(
    ("path", "event"),
    [("product/2", "after-price"), ("cart", "after-cart"), ("checkout", "after-checkout")],
)
def test_event_parameter_has_the_documented_fields(get, path, event):
    fields = {"after-price": ["item", "page"]}.get(event, ["cartData", "currency", "page"])
    assert list(params_of(get(f"/1/de/{path}"), event)) == fields
    assert params_of(get(f"/1/de/{path}"), event)["page"] == {"language": "de", "page": "catalog"}


@pytest.mark.parametrize("path", ["", "product/6", "cart?cart=6x1", "checkout?cart=6x1"])
def test_hostile_website_name_is_escaped_everywhere(get, path):
    answer = get(f"/1/de/{path}")
    assert HOSTILE_NAME not in answer.text
    assert HOSTILE_NAME in answer.soup.get_text()
    assert not [b for b in answer.soup.select("main b") if "Hara" in b.get_text()]


def test_inline_json_escapes_slashes_and_everything_beyond_ascii(get):
    answer = get("/1/lv/product/6")
    script = next(s.get_text() for s in answer.soup.select("script") if "after-price" in s.get_text())
    assert r"\u003c\/script\u003e\u003cb\u003e" in script
    assert script.isascii()
    assert params_of(answer, "after-price")["item"]["name"] == HOSTILE_NAME


def test_snippets_are_inserted_raw_in_the_order_of_installation(app_with, ask):
    app = app_with(
        FixedSnippets(head="<meta name=one>", body="<p>&one</p>"),
        FixedSnippets(head="<meta name=two>", body="<script>two</script>"),
    )
    text = ask(app, "/1/en/cart").text
    assert "<meta name=one>\n<meta name=two>" in text
    assert re.search(r"</footer>\s*<p>&one</p>\n<script>two</script>\s*</body>", text)
    assert text.index("<meta name=two>") < text.index("</head>")


@pytest.mark.parametrize(("answer", "before"), [("before", True), ("after", False)])
def test_the_head_snippet_runs_before_or_after_the_storefront_script(get, answer, before):
    text = get(f"/1/en/cart?assumptions=head-snippet={answer}").text
    assert (text.index("<meta name=app>") < text.index("/assets/emulator.")) is before


def test_snippets_are_chosen_by_language(assets, ask):
    source = FixedSource(
        snippets=(FixedSnippets(body="<i>any</i>"),), by_language={"lv": (FixedSnippets(body="<i>lv</i>"),)}
    )
    app = storefront_app(source, assets=assets)
    assert "<i>lv</i>" in ask(app, "/1/lv/").text
    assert "<i>any</i>" in ask(app, "/1/de/").text


def test_a_language_without_texts_is_shown_in_english_with_names_of_the_first_language(app_with, ask):
    app = app_with(languages=("fr", "de"))
    soup = ask(app, "/1/fr/product/1").soup
    assert soup.html["lang"] == "fr"
    assert soup.h1.get_text() == "Leinen-T-Shirt"
    assert "Add to cart" in soup.get_text()


def test_address_of_a_website_redirects_to_its_first_language(get, app_with, ask):
    assert get("/1/").headers["location"] == "/1/lv/"
    assert ask(app_with(languages=("de", "lv")), "/1/?cart=P3x3").headers["location"] == "/1/de/?cart=P3x3"


def test_home_page_of_the_first_language_may_be_the_websites_address(get):
    at_root = get("/1/?assumptions=page-address=first-at-root")
    assert (at_root.status, at_root.soup.html["lang"]) == (200, "lv")
    other = get("/1/lv/?assumptions=page-address=first-at-root")
    assert (other.status, other.headers["location"]) == (307, "/1/?assumptions=page-address=first-at-root")
    assert get("/1/en/?assumptions=page-address=first-at-root").status == 200


@pytest.mark.parametrize("url", ["/2/en/", "/1/fr/", "/2/", "/nothing"])
def test_unknown_page_is_404(get, url):
    assert get(url).status == 404


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("cart=C9", "there is no cart 'C9'"),
        ("now=soon", "ISO 8601"),
        ("assumptions=friendly", "there is no assumption set 'friendly'"),
        ("assumptions=cart-fields=some", "full, known"),
        ("assumptions=gravity=off", "there is no assumption 'gravity'"),
        ("scenario=none", "there is no scenario 'none'"),
        ("theme=nice", "there is no theme 'nice'; there are plain, reset, tiny, rtl, dark, narrow, crowded"),
        ("csp=strict", "nonce, trusted-types"),
    ],
)
def test_an_unknown_option_value_is_refused_with_a_list(get, query, message):
    answer = get(f"/1/en/cart?{query}")
    assert answer.status == 400
    assert message in answer.text


@pytest.mark.parametrize(
    ("address", "status", "heading", "sentence", "back"),
    [
        (
            "/1/en/product/1?theme=<b>",
            400,
            "No such option",
            "There is no theme '<b>'; there are plain, reset",
            "/1/en/product/1",
        ),
        (
            "/1/fr/cart",
            404,
            "No such page",
            'The website 1 is not in "fr"; it is in lv, en',
            "/1/",
        ),
    ],
)
def test_browser_gets_a_page_with_a_link_for_an_address_that_the_shop_does_not_have(
    get, address, status, heading, sentence, back
):
    answer = get(address, accept="text/html,*/*;q=0.8")
    page = BeautifulSoup(answer.text, "html.parser")
    assert answer.status == status
    assert (page.title.text, page.h1.text) == (heading, heading)
    assert page.p.text.startswith(sentence)
    assert page.a["href"] == back
    assert get(back).status in {200, 307}


def test_cart_link_shows_the_number_of_pieces(get):
    assert get("/1/lv/").soup.select_one(".basket").get_text(" ", strip=True) == "Grozs 3 preces"
    assert get("/1/lv/?cart=empty").soup.select_one(".basket-count").has_attr("hidden")


def test_page_has_a_time_that_browsers_read(get):
    assert '"2026-03-02T10:30:00"' in str(get("/1/lv/product/1?now=20260302T1030").soup)


def test_links_and_the_language_switch_keep_the_options(get):
    soup = get("/1/lv/product/1?cart=P3x3&now=2026-03-02T10:30:00").soup
    links = [a["href"] for a in soup.select(".languages a, .basket")]
    assert all("cart=P3x3&now=2026-03-02T10%3A30%3A00" in href for href in links)
    assert soup.select_one(".languages [aria-current]").get_text() == "lv"


@pytest.mark.parametrize(
    ("query", "spec"),
    [
        ("add=5&variant=502&quantity=2", "1.103x2,2x1,5.502x2"),
        ("add=1&variant=103", "1.103x3,2x1"),
        ("set=2&quantity=4", "1.103x2,2x4"),
        ("set=2&quantity=0", "1.103x2"),
        ("set=2&quantity=x", "1.103x2,2x1"),
    ],
)
def test_cart_is_changed_by_the_address(get, query, spec):
    answer = get(f"/1/en/cart?{query}")
    assert answer.status == 303
    assert answer.headers["location"] == f"/1/en/cart?cart={spec.replace(',', '%2C')}"


def test_empty_cart_has_no_checkout_and_fires_an_event_only_if_assumed(get):
    assert "svc-content-after-cart" not in get("/1/en/cart?cart=empty").text
    assert "svc-content-after-cart" in get("/1/en/cart?cart=empty&assumptions=empty-cart=event").text
    assert get("/1/en/checkout?cart=empty").status == 303


def test_hostile_assumptions_keep_only_the_two_public_cart_fields(get):
    assert params_of(get("/1/en/cart?assumptions=hostile"), "after-cart")["cartData"] == {
        "total": 63.8,
        "total_no_discount": 63.8,
    }


def test_a_payload_in_the_address_replaces_fields_of_the_event_parameter(get):
    params = params_of(get('/1/en/cart?payload={"cartData":{"total":1}}'), "after-cart")
    assert params["cartData"] == {"total": 1}
    assert params["page"] == {"language": "en", "page": "catalog"}
    assert get("/1/en/cart?payload=[1]").status == 400


def test_checkout_works_without_javascript(get):
    soup = get("/1/en/checkout?code=SAVE10&shipping=pickup").soup
    assert soup.select_one("[data-shown=total]").get_text() == "€57.42"
    assert soup.select_one("[data-applied]").get_text() == "Code SAVE10 applied"
    wrong = get("/1/en/checkout?code=<x>").soup
    assert wrong.select_one("#code-error").get_text() == "This code is not known."
    assert wrong.select_one("[name=code]")["value"] == "<x>"


def test_scripts_of_snippets_get_the_nonce_of_the_policy(app_with, ask):
    app = app_with(
        FixedSnippets(body="<script>1</script><SCRIPT type=application/json>{}</SCRIPT>"), csp="nonce"
    )
    first, second = (ask(app, "/1/en/product/1") for _ in range(2))
    nonce = re.search(r"'nonce-([\w-]+)'", first.headers["content-security-policy"])[1]
    assert "unsafe-eval" not in first.headers["content-security-policy"]
    assert "connect-src 'self' https:" in first.headers["content-security-policy"]
    assert all(s.get("src") or s["nonce"] == nonce for s in first.soup.select("script"))
    assert nonce not in second.text


def test_page_with_trusted_types_has_no_jquery(get):
    answer = get("/1/en/product/1?csp=trusted-types")
    assert (
        "require-trusted-types-for 'script'; trusted-types awning"
        in answer.headers["content-security-policy"]
    )
    assert "jquery-2" not in answer.text


@pytest.mark.parametrize("name", SCENARIOS)
def test_page_of_a_scenario_has_its_other_apps_before_and_after_the_app(get, name):
    scenario = SCENARIOS[name]
    answer = get(f"/1/en/{scenario.page}?scenario={name}")
    assert answer.status == 200
    places = [
        answer.text.index(part) for part in (*scenario.before, "<!-- the app's body -->", *scenario.after)
    ]
    assert places == sorted(places)
    assert scenario.head in answer.text


def test_assets_are_cached_permanently_under_their_hash(get):
    for tag in get("/1/en/").soup.select("link[href^='/assets'], script[src]"):
        answer = get(tag.get("href") or tag["src"])
        assert answer.status == 200
        assert "immutable" in answer.headers["cache-control"]
    assert get("/assets/shop.css").status == 404


def test_page_shows_the_name_of_the_website(assets, ask):
    source = FixedSource(site=FixedWebsite(id=7, brandname="<Ādažu> & Co"))
    app = storefront_app(source, assets=assets)
    answer = ask(app, "/7/lv/")
    assert answer.soup.select_one(".brand").get_text() == "<Ādažu> & Co"
    assert "<Ādažu>" not in answer.text


def params_of(answer, slot):
    """The event parameter that a page's inline script passes to its host."""
    pattern = rf'"svc-content-{slot}",(\{{.*\}})\);'
    return json.loads(re.search(pattern, answer.text)[1])


def test_the_start_page_lists_the_websites(get):
    answer = get("/")
    (link,) = answer.soup.select("main a")
    assert (answer.status, link["href"], link.get_text()) == (200, "/1/", "Rīgas Lins")


@pytest.mark.parametrize(
    ("options", "count"), [("", 1), ("?assumptions=page-global%3Dabsent", 0), ("?assumptions=documented", 0)]
)
def test_page_has_a_global_object_as_assumed(get, options, count):
    assert get(f"/1/en/product/1{options}").text.count("var page=") == count
