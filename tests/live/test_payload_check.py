"""`awning payload check`: captured events against the tables of the contract."""

import tomllib
from io import BytesIO, TextIOWrapper

import pytest

from awning.contract.assumptions import ASSUMPTIONS
from awning.contract.payloads import PAYLOAD_RECORDS
from awning.live.differences import _ANSWERS, VisitedEvent, settled_by_visit
from awning.workspace.reader import read_workspace

PAGE = {"language": "en", "page": "catalog"}
VARIANT = {
    "id": "11",
    "options": [{"title": "L"}],
    "price": 22.9,
    "price_undiscounted": 22.9,
    "sku": "",
    "stock": None,
    "weight": None,
}
ITEM = {
    "id": "1",
    "name": "T-shirt",
    "sku": "T",
    "brand": "",
    "category": "Clothes/Shirts",
    "price": 21,
    "price_undiscounted": 21.0,
    "currency": "EUR",
    "weight": 180,
    "stock": 4,
    "variants": [VARIANT, VARIANT],
}
PRICE = {"event": "svc-content-after-price", "item": ITEM, "page": PAGE}
LINE = {
    "id": "1",
    "variant_id": None,
    "name": "T-shirt",
    "sku": "T",
    "options": [],
    "quantity": 2,
    "price": 21,
    "price_undiscounted": 21,
    "weight": 180,
}
CART = {
    "items": [LINE],
    "total": 42,
    "total_no_discount": 42,
    "discount_code": "",
    "discount_amount": 0,
    "shipping_price": None,
    "taxes": 7.3,
    "weight": 360,
}
CURRENCY = {
    "code": "EUR",
    "symbol": "€",
    "position": "before",
    "decimals": 2,
    "decimal_separator": ".",
    "thousands_separator": "",
}
CHECKOUT = {"event": "svc-content-after-checkout", "cartData": CART, "currency": CURRENCY, "page": PAGE}
UPDATED = {
    **PRICE,
    "event": "svc-content-after-price-updated",
    "updatedItem": {"item": ITEM, "selectedVariantId": "11", "selectedVariant": VARIANT},
}


@pytest.fixture
def check(awning, captured):
    def call(*events, options=()):
        files = [captured(event, f"event{number}.json") for number, event in enumerate(events)]
        return awning("payload", "check", *files, *options, "--json")

    return call


def without(record, *names):
    return {name: value for name, value in record.items() if name not in names}


@pytest.mark.parametrize("event", [PRICE, UPDATED, CHECKOUT, [PRICE, UPDATED]])
def test_payload_check_accepts_an_event_as_the_tables_have_it(check, event):
    result = check(event)
    assert (result.code, result.json["differences"]) == (0, [])
    assert result.json["schema_version"] == 1


@pytest.mark.parametrize(
    ("event", "field", "kind", "found"),
    [
        ({**PRICE, "item": {**ITEM, "vat": 21}}, "item.vat", "unknown", "number"),
        ({**PRICE, "item": without(ITEM, "stock")}, "item.stock", "missing", None),
        ({**PRICE, "item": {**ITEM, "price": "21.00"}}, "item.price", "type", "string"),
        ({**PRICE, "item": {**ITEM, "variants": {}}}, "item.variants", "type", "object"),
        ({**PRICE, "item": {**ITEM, "stock": True}}, "item.stock", "type", "boolean"),
        ({**PRICE, "item": {**ITEM, "variants": [None]}}, "item.variants[]", "type", "null"),
        ({**PRICE, "item": None}, "item", "type", "null"),
        ({**PRICE, "currency": CURRENCY}, "currency", "unknown", "object"),
        ({**PRICE, "updatedItem": {}}, "updatedItem", "unknown", "object"),
        (without(UPDATED, "updatedItem"), "updatedItem", "missing", None),
        (without(PRICE, "page"), "page", "missing", None),
        (
            {**CHECKOUT, "currency": {**CURRENCY, "position": "left"}},
            "currency.position",
            "type",
            "another string",
        ),
        (
            {**UPDATED, "updatedItem": {**UPDATED["updatedItem"], "selectedVariant": {**VARIANT, "ean": ""}}},
            "updatedItem.selectedVariant.ean",
            "unknown",
            "string",
        ),
    ],
)
def test_payload_check_reports_a_difference(check, event, field, kind, found):
    result = check(event)
    assert result.code == 1
    [difference] = result.json["differences"]
    assert (difference["field"], difference["kind"], difference["found"]) == (field, kind, found)


def test_payload_check_prints_hostile_names_of_fields_as_escapes(awning, captured):
    result = awning("payload", "check", captured({**CHECKOUT, "page": {"\x1b[31m\u202e\n": 1}}))
    assert r"page.\x1b[31m\u202e\n is not known (it is number)" in result.out


def test_payload_check_names_the_place_and_the_assumption_of_a_field(awning, captured):
    file = captured({**CHECKOUT, "cartData": {"total": 1, "total_no_discount": 1, "buyer": {"vip": True}}})
    result = awning("payload", "check", file)
    assert result.code == 1
    assert f"{file}:6:3: cartData.buyer is not known (it is object); settles cart-fields" in result.out
    assert f"{file}:3:2: cartData.items is missing (assumed: array); settles cart-fields" in result.out


def test_payload_check_counts_a_difference_that_is_in_each_element(check):
    lines = [without(LINE, "sku")] * 3
    [difference] = check({**CHECKOUT, "cartData": {**CART, "items": lines}}).json["differences"]
    assert (difference["field"], difference["count"]) == ("cartData.items[].sku", 3)
    assert difference["assumption"] == "cart-fields"


@pytest.mark.parametrize(
    ("event", "settled"),
    [
        (PRICE, {}),
        (CHECKOUT, {"cart-fields": "full", "page-value": "catalog"}),
        (
            {**CHECKOUT, "cartData": {"total": 1, "total_no_discount": 1}, "page": {**PAGE, "page": "cart"}},
            {"cart-fields": "known", "page-value": "own"},
        ),
        (
            {**CHECKOUT, "cartData": {"total": 1, "lines": []}},
            {"cart-fields": None, "page-value": "catalog"},
        ),
        (
            {**CHECKOUT, "event": "svc-content-after-cart", "cartData": {**CART, "items": []}},
            {"cart-fields": "full", "page-value": "catalog", "empty-cart": "event"},
        ),
        ({**CHECKOUT, "cartData": {**CART, "items": []}}, {"cart-fields": "full", "page-value": "catalog"}),
    ],
)
def test_payload_check_tells_the_answers_that_an_event_gives(check, event, settled):
    assert {entry["assumption"]: entry["answer"] for entry in check(event).json["settled"]} == settled


def test_each_assumption_with_a_payload_that_settles_it_has_an_answer_and_a_record():
    rows = {id_: row.fields for id_, row in ASSUMPTIONS.items() if row.fields}
    assert rows.keys() <= _ANSWERS.keys() <= ASSUMPTIONS.keys()
    assert {name.partition(".")[0] for fields in rows.values() for name in fields} <= PAYLOAD_RECORDS.keys()


def test_payload_check_prints_no_value(awning, captured):
    event = {**CHECKOUT, "cartData": {**CART, "email": "anna@example.org", "total": "+371 29123456"}}
    result = awning("payload", "check", captured(event))
    assert "anna" not in result.out + result.err
    assert "29123456" not in result.out + result.err


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ('{\n "event": ,\n}', ":2:11", "Expecting value"),
        ("", ":1:1", "Expecting value"),
        ("3", ":1:1", "must be an object"),
        ("[]", ":1:1", "no event"),
        ('[\n {"item": {}}\n]', ":2:2", 'has no "event"'),
        ('{\n "event": "svc-content-after-prise"\n}', ":2:2", "svc-content-after-price"),
        ('{"event": ["svc-content-after-price"]}', ":1:2", "no event is called"),
        ("[" * 100, ":1:65", "inside each other"),
    ],
)
def test_payload_check_refuses_a_file_without_events_and_says_where(awning, captured, text, place, says):
    file = captured(text)
    result = awning("payload", "check", file, captured(PRICE, "good.json"))
    assert result.code == 2
    assert f"{file}{place}" in result.err
    assert says in result.err
    assert result.out == ""


def test_payload_check_reports_every_file_that_cannot_be_read(awning, captured, tmp_path):
    result = awning("payload", "check", tmp_path / "none.json", captured("{", "half.json"), "--json")
    assert result.code == 2
    assert [diagnostic["rule"] for diagnostic in result.json["diagnostics"]] == [
        "file-missing",
        "json-syntax",
    ]


def test_payload_check_reads_standard_input(awning, monkeypatch):
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b'{"event": "svc-content-after-price"}')))
    result = awning("payload", "check", "-")
    assert result.code == 1
    assert "<stdin>:1:1: item is missing" in result.out


def test_payload_check_reads_the_names_of_a_profile(awning, captured, project):
    project.add_file(
        "pyproject.toml",
        '[tool.awning]\nlanguages = ["en"]\n[tool.awning.profiles.other.dialect]\nevent_prefix = "acme-"\n',
    )
    event = captured({**PRICE, "event": "acme-content-after-price"})
    assert awning("payload", "check", event).code == 2
    assert awning("payload", "check", event, "--profile", "other").code == 0


STATES = '# mine\n[[state]]\nname = "usual"\ntitle = "Usual"\npayload = "P1"   # as it is'


@pytest.mark.parametrize("old", [None, STATES, STATES.replace("\n", "\r\n") + "\r\n"])
def test_payload_check_adds_a_state_below_what_is_there(awning, captured, project, old):
    project.add_widget("note")
    file = project.root / "widgets/note/states.toml"
    if old is not None:
        file.write_bytes(old.encode())
    result = awning("payload", "check", captured(PRICE), "--state", "captured", "--widget", "note")
    assert result.code == 0
    content = file.read_bytes().decode()
    assert content.startswith((old or "#:schema").rstrip())
    assert ("\r\n" in content) == ("\r\n" in (old or ""))
    state = read_workspace(project.root, environ={}).widgets[0].states[-1]
    assert (state.name, state.slot) == ("captured", "after-price")
    kept = without(VARIANT, "stock", "weight")
    assert state.payload == {"item": {**ITEM, "variants": [kept, kept]}, "page": PAGE}
    assert "item.variants[].stock, item.variants[].weight" in result.err


def test_payload_check_takes_the_cart_of_an_update_for_a_state(awning, captured, project):
    project.add_widget("note", slot="after-checkout")
    event = {**CHECKOUT, "event": "svc-content-after-checkout-updated", "updatedItem": {**CART, "total": 30}}
    result = awning("payload", "check", captured([CHECKOUT, event]), "--state", "paid", "--widget", "note")
    assert result.code == 0
    [state] = tomllib.loads((project.root / "widgets/note/states.toml").read_text())["state"]
    assert state["payload"]["cartData"]["total"] == 30
    assert "updatedItem" not in state["payload"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--state", "usual", "--widget", "note"), 'has a state "usual" already'),
        (("--state", "Not a name", "--widget", "note"), "cannot be the name"),
        (("--state", "new", "--widget", "nite"), 'did you mean "note"'),
        (("--state", "new"), "belong together"),
        (("--widget", "note"), "belong together"),
        (("--state", "new", "--widget", "total"), "no event of the widget's slots"),
    ],
)
def test_payload_check_refuses_a_state_and_loses_nothing(awning, captured, project, options, says):
    project.add_widget("note", states_toml=STATES).add_widget("total", slot="after-cart")
    result = awning("payload", "check", captured(PRICE), *options)
    assert result.code == 2
    assert says in result.err
    assert (project.root / "widgets/note/states.toml").read_text() == STATES


def test_payload_check_refuses_a_states_file_that_cannot_be_added_to(awning, captured, project):
    states = 'state = [{ name = "usual", title = "Usual", payload = "P1" }]\n'
    project.add_widget("note", states_toml=states)
    result = awning("payload", "check", captured(PRICE), "--state", "new", "--widget", "note")
    assert result.code == 2
    assert "write its states as [[state]]" in result.err
    assert (project.root / "widgets/note/states.toml").read_text() == states


@pytest.mark.parametrize(
    ("events", "settled"),
    [
        ([CHECKOUT], {"cart-fields", "page-value"}),
        ([CHECKOUT, {**CHECKOUT, "page": {**PAGE, "page": "cart"}}], {"cart-fields"}),
        ([{**CHECKOUT, "cartData": {"total": 1, "lines": []}}], {"page-value"}),
    ],
)
def test_settle_writes_the_answers_that_are_certain_into_the_profile(
    awning, captured, project, events, settled
):
    result = awning("payload", "check", captured(events), "--settle")
    table = tomllib.loads((project.root / "pyproject.toml").read_text())
    answers = table["tool"]["awning"]["profiles"]["default"]["assumptions"]
    assert answers.keys() == settled
    assert {answer["by"] for answer in answers.values()} == {"capture"}
    assert ("is not settled" in result.err) == (len(settled) == 1)


UPDATE, LATER = "svc-content-after-price-updated", 2000
VISITS = {
    "twice at once": ([(UPDATE, 0, False), (UPDATE, 9, True)], {("repeat-first-update", "on")}),
    "once": ([(UPDATE, 0, False), (UPDATE, LATER, False)], {("repeat-first-update", "off")}),
    "the second one twice": (
        [(UPDATE, 0, False), (UPDATE, LATER, False), (UPDATE, LATER + 9, True)],
        {("repeat-first-update", "off"), ("repeat-later-updates", "on")},
    ),
    "twice, though late": ([(UPDATE, 0, False), (UPDATE, LATER, True)], {("repeat-first-update", "on")}),
    "two choices in a hurry": ([(UPDATE, 0, False), (UPDATE, 9, False)], set()),
    "the last event": ([(UPDATE, 0, False)], set()),
    "an earlier recording": ([(UPDATE, 0, None), (UPDATE, LATER, None)], set()),
    "a page that was left": ([(UPDATE, 0, False), (UPDATE, LATER, False, 2)], set()),
    "a cart": ([("svc-content-after-cart", 0, False), ("svc-content-after-cart", LATER, False)], set()),
}


@pytest.mark.parametrize(("events", "answers"), VISITS.values(), ids=VISITS)
def test_order_of_a_visit_tells_whether_updates_are_repeated(events, answers):
    visited = [
        VisitedEvent(event=name, load=load[0] if load else 1, ms=ms, repeats=repeats)
        for name, ms, repeats, *load in events
    ]
    assert {(each.assumption, each.answer) for each in settled_by_visit(visited, [], "visit.json")} == answers
