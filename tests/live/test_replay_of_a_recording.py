"""`awning record --replay`: a recorded visit, made again in the simulated shop, and the first difference."""

import json
from contextlib import contextmanager

import pytest
from live_shop import CART, CHECKOUT, CURRENCY, ITEM, PAGE, VARIANTS, Reply, fires, on_load, product_page

from awning.workspace.document import Findings
from awning.workspace.store.store_files import read_own_store
from awning_harness.service import Service, serve

pytestmark = pytest.mark.usefixtures("processes")


def chosen(number):
    item = {**ITEM, "variants": VARIANTS}
    variant = VARIANTS[number]
    updated = {"item": item, "selectedVariantId": variant["id"], "selectedVariant": variant}
    return on_load(fires("after-price-updated", {"item": item, "page": PAGE}, updated))


@pytest.fixture
def replayed(record, awning, tmp_path):
    def call(address):
        record(address)
        return awning("record", "--replay", tmp_path / "recorded", "--json")

    return call


NONCES = {"Content-Security-Policy": "script-src 'nonce-n'; style-src 'nonce-n'"}
WAYS = {
    "plain": lambda _: product_page(),
    "nonces": lambda snippet: Reply(product_page(nonce="n", body=snippet), headers=NONCES),
    "redirect": lambda _: Reply(status=302, headers={"Location": "/compressed"}),
    "compressed": lambda snippet: Reply(
        product_page(body=snippet), headers={"ETag": '"1"'}, chunked=True, compressed=True
    ),
}


def test_record_and_replay_work_with_the_ways_of_servers(shop, project, awning, tmp_path):
    """Whether the page has the app's snippet makes no difference; nor does a visit that comes back."""
    project.add_widget("note").build()
    snippet = (project.root / "dist/en/body.html").read_text()
    for way, page in WAYS.items():
        shop.add(f"/{way}", page(snippet))
    visit, folder = tmp_path / "visit.toml", tmp_path / "recorded"
    visit.write_text("".join(f"[[page]]\nurl = '/{way}'\n" for way in WAYS))
    recorded = awning("record", shop.url, "--allow-private", "--visit", visit, "-o", folder, "--json")
    assert (recorded.code, recorded.json["errors"]) == (0, []), recorded.out
    assert recorded.json["events"] == len(WAYS)
    replayed = awning("record", "--replay", folder, "--json")
    assert (replayed.code, replayed.json["difference"]) == (0, None), replayed.out


def test_replay_visits_the_product_of_each_page(shop, awning, tmp_path):
    """The shop does the same as the simulated one. Its ids are long, and a shopper takes variants that others lack."""
    visit = tmp_path / "visit.toml"
    visit.write_text("".join(f"[[page]]\nurl = '/long{number}'\n" for number in (1, 2, 1)))
    for number in (1, 2):
        own = [{**variant, "id": f"{number}7712{variant['id']}0042"} for variant in VARIANTS * number]
        item = {**ITEM, "id": f"371295557{number}", "price": 10.5 * number, "variants": own}
        changes = on_load(
            "".join(
                fires("after-price-updated", {"item": item, "page": PAGE}, update)
                for chosen in (own[0], own[1])
                for update in [{"item": item, "selectedVariantId": chosen["id"], "selectedVariant": chosen}]
            )
        )
        address = shop.add(f"/long{number}", product_page(item=item, body=changes))
    folder = tmp_path / "recorded"
    awning("record", address, "--allow-private", "--visit", visit, "-o", folder)
    store = read_own_store(folder, ["storefront/recorded.toml"], Findings())
    products = [product for product in store.products if product.key.startswith("RECORDED")]
    assert [(product.id, product.price, len(product.variants)) for product in products] == [
        ("9001", 1050, 2),
        ("9002", 2100, 4),
    ]
    ids = [event["item"]["id"] for event in json.loads((folder / "events.json").read_text())]
    assert ids == ["9001"] * 3 + ["9002"] * 3 + ["9001"] * 3
    result = awning("record", "--replay", folder, "--json")
    assert (result.code, result.json["difference"], result.json["events"]) == (0, None, 9), result.out


def test_replay_changes_the_checkout_as_often_as_the_shop_did(shop, replayed):
    update = fires("after-checkout-updated", CHECKOUT, {**CART, "total": 63.4, "shipping_price": 3.5})
    page = product_page(slot="after-checkout", params=CHECKOUT, body=on_load(update + update))
    result = replayed(shop.add("/checkout", page))
    assert (result.code, result.json["difference"], result.json["events"]) == (0, None, 3), result.out


KNOWN = """
[tool.awning.profiles.default.assumptions]
cart-fields = { answer = "known", by = "capture", on = "2026-03-02" }
"""


def test_replay_plays_what_is_settled_for_the_profile(shop, replayed, project):
    """The shop's carts have the two public fields alone."""
    params = {
        "cartData": {name: CART[name] for name in ("total", "total_no_discount")},
        "currency": CURRENCY,
        "page": PAGE,
    }
    with (project.root / "pyproject.toml").open("a") as file:
        file.write(KNOWN)
    result = replayed(shop.add("/known", product_page(slot="after-cart", params=params)))
    assert (result.code, result.json["difference"]) == (0, None), result.out + result.err


def test_replay_goes_on_after_a_page_without_a_difference(shop, awning, tmp_path):
    first = shop.add("/one", product_page())
    shop.add("/two", product_page(item={**ITEM, "gtin": 1}))
    visit = tmp_path / "visit.toml"
    visit.write_text("[[page]]\nurl = '/one'\n[[page]]\nurl = '/two'\n")
    awning("record", first, "--allow-private", "--visit", visit, "-o", tmp_path / "recorded")
    difference = awning("record", "--replay", tmp_path / "recorded", "--json").json["difference"]
    assert (difference["page"], difference["field"]) == (2, "item.gtin")


DIFFERENT = {
    "another type": (
        {"item": {**ITEM, "price": "59,90"}},
        {"event": 1, "field": "item.price", "recorded": "string", "simulated": "number"},
    ),
    "no update": (
        {"item": {**ITEM, "variants": VARIANTS}},
        {"event": 2, "field": None, "recorded": "(no event)", "simulated": "svc-content-after-price-updated"},
    ),
    "an update": (
        {"body": chosen(0)},
        {"event": 2, "field": None, "recorded": "svc-content-after-price-updated", "simulated": "(no event)"},
    ),
}


@pytest.mark.parametrize("kind", DIFFERENT)
def test_replay_tells_the_first_difference(shop, replayed, kind):
    page, difference = DIFFERENT[kind]
    result = replayed(shop.add("/unlike", product_page(**page)))
    assert (result.code, result.json["difference"]) == (1, {"page": 1, **difference}), result.out


def test_replay_shows_the_difference_side_by_side(shop, record, awning, tmp_path):
    record(shop.add("/sides", product_page(item={**ITEM, "ean": "475"})))
    result = awning("record", "--replay", tmp_path / "recorded")
    assert "page 1, event 1\n            recorded  simulated\n  item.ean  string    (missing)" in result.out


VISITED = {"event": "svc-content-after-cart", "page": 1, "load": 1, "ms": 1}


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({}, "holds no recording"),
        ({"visit.json": "{"}, "is not JSON"),
        ({"visit.json": "{}"}, "events is required"),
        ({"visit.json": '{"events": []}', "events.json": "[]"}, "no event"),
        ({"visit.json": json.dumps({"events": [VISITED] * 501})}, "more than 500 events"),
        (
            {"visit.json": '{"events": []}', "events.json": '[{"event": "svc-content-after-cart"}]'},
            "have other events",
        ),
    ],
)
def test_replay_refuses_a_folder_without_a_recording(awning, tmp_path, files, says):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    result = awning("record", "--replay", tmp_path)
    assert result.code == 2
    assert says in result.err


SIZES = """<select id="size"><option>S<option>M</select><script>
document.querySelector("#size").onchange = () => { UPDATE };
</script>"""
SIDE_CART_VISIT = """
[[page]]
steps = ['choose "#size" "M"', 'click ".add"']

[[page]]                    # without an address: the same page
steps = ['click ".add"']
"""


@pytest.fixture
def visit_of(tmp_path):
    def write(text):
        file = tmp_path / "visit.toml"
        file.write_text(text)
        return file

    return write


def test_replay_shows_the_first_difference_of_many_carts_in_place(shop, record, awning, tmp_path):
    """All carts come with the page, so one step of the replay shows them."""
    carts = [{**CART, "total": 59.9 + number} for number in range(30)]
    more = [*carts, {**CART, "coupon": 1}]
    fired = "".join(fires("after-cart", {**CHECKOUT, "cartData": cart}) for cart in more)
    record(shop.add("/restless", product_page(body=on_load(fired))))
    result = awning("record", "--replay", tmp_path / "recorded")
    table = (
        "page 1, event 32\n                   recorded  simulated\n  cartData.coupon  number    (missing)\n"
    )
    assert (result.code, result.out) == (1, table)


def side_cart_shop(shop):
    """Return the address of a product with two sizes and a cart at its side."""
    item, both = {**ITEM, "variants": VARIANTS}, ("771", "772")
    updates = [
        fires(
            "after-price-updated",
            {"item": item, "page": PAGE},
            {"item": item, "selectedVariantId": identity, "selectedVariant": variant},
        )
        for identity, variant in zip(both, VARIANTS, strict=True)
    ]

    def params(count):
        pieces = max(count, 1)
        line = {**CART["items"][0], "variant_id": "772", "options": [{"title": "M"}], "quantity": pieces}
        return {**CHECKOUT, "cartData": {**CART, "items": [line], "total": 61.9 * pieces}}

    body = SIZES.replace("UPDATE", updates[1]) + on_load(updates[0])
    return shop.add_busy_page("/sided", params, body, item=item)


def test_replay_plays_a_cart_that_the_shop_replaces_in_place(shop, record, awning, tmp_path, visit_of):
    folder = tmp_path / "recorded"
    recorded = record(side_cart_shop(shop), "--visit", visit_of(SIDE_CART_VISIT))
    assert (recorded.code, recorded.json["errors"]) == (0, []), recorded.out
    events = json.loads((folder / "visit.json").read_text())["events"]
    assert [(event["event"].removeprefix("svc-content-"), event["step"]) for event in events] == [
        ("after-price", 0),
        ("after-price-updated", 0),
        ("after-cart", 0),
        ("after-price-updated", 1),
        ("after-cart", 2),
        ("after-cart", 3),
    ]
    result = awning("record", "--replay", folder, "--json")
    assert (result.code, result.json["pages"], result.json["difference"]) == (0, 1, None), result.out


SIMULATED_VISIT = """
[[page]]
url = "product/1"
steps = ['choose "[data-option=""0""]" "M"', 'click "[data-add]"']

[[page]]
url = "cart?cart=C1"
steps = ['click ".line:first-child [data-step=""1""]"', 'click ".line:first-child .line-remove"']

[[page]]
steps = ['click ".sums a.button"', 'check "[data-shipping][value=pickup]"']
"""


@contextmanager
def simulated_shop():
    service = Service()
    with serve(service):
        yield f"{service.website_url(service.create_website().id)}en/"
    service.close()


LOADS_A_PAGE = """
[tool.awning.profiles.default.assumptions]
cart-changes = { answer = "page-load", by = "probe", on = "2026-03-02" }
"""


def test_replay_does_the_same_as_the_simulated_shop(record, awning, project, tmp_path, visit_of):
    """And a service that loads a page for each changed cart differs from it."""
    with simulated_shop() as address:
        recorded = record(address, "--visit", visit_of(SIMULATED_VISIT))
    assert (recorded.code, recorded.json["errors"]) == (0, []), recorded.out
    result = awning("record", "--replay", tmp_path / "recorded", "--json")
    assert (result.code, result.json["pages"], result.json["difference"]) == (0, 3, None), result.out
    with (project.root / "pyproject.toml").open("a") as file:
        file.write(LOADS_A_PAGE)
    result = awning("record", "--replay", tmp_path / "recorded", "--json")
    assert result.json["difference"] == {
        "page": 1,
        "event": 4,
        "field": None,
        "recorded": "svc-content-after-cart",
        "simulated": "(no event)",
    }
    assert "changes no cart in place" in result.json["errors"][0]
    assert "simulated shop has cart-changes = page-load, the recording shows in-place\n" in result.err
    assert "/recorded --settle --profile default writes" in result.err
