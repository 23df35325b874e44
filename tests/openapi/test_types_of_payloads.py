"""The payloads' types and the slots' functions in TypeScript are generated from the contract's tables, and complete."""

from pathlib import Path

import pytest

from awning.contract import SLOTS
from awning.contract.descriptions import WRITTEN_FILES, write_types
from awning.contract.payload_types import PARTS, WHOLE, payloads_page
from awning.contract.payloads import PARAMETERS, PRICE_UPDATE, RECORDS
from awning.states.cart import cart_data, currency, read_cart
from awning.states.payloads import PARAMETER_NAMES
from awning.states.product_payload import make_item
from awning.workspace.store.store_files import shipped_store

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("path", WRITTEN_FILES)
def test_checked_in_files_are_current(path):
    again = "python -m awning.contract.descriptions types"
    assert (ROOT / path).read_text(encoding="utf-8") == WRITTEN_FILES[path](), f"write it again: {again}"


def test_command_writes_every_file(tmp_path):
    write_types(tmp_path)
    assert all(
        (tmp_path / path).read_text(encoding="utf-8") == text() for path, text in WRITTEN_FILES.items()
    )


def test_every_field_is_in_exactly_one_part():
    held = [field for part in PARTS for field in part.fields]
    for part in PARTS:
        assert {field.source for field in part.fields} == {part.source}
    fields = [
        *PARAMETERS.values(),
        *PRICE_UPDATE,
        *(field for record in RECORDS.values() for field in record),
    ]
    # `page` is held twice: in both kinds of event parameters
    assert sorted(map(repr, held)) == sorted(map(repr, [*fields, PARAMETERS["page"]]))


def test_payloads_page_lists_every_field_with_its_source():
    page = payloads_page()
    for field in [*PRICE_UPDATE, *(field for record in RECORDS.values() for field in record)]:
        rows = [row for row in page.splitlines() if row.startswith(f"- `{field.name}` (")]
        assert any(f", {field.source}): {field.about}" in row for row in rows), field.name


def test_only_assumed_fields_may_be_missing():
    assert {part.name for part in PARTS if part.optional} == {"CartDetails", "CartLine", "Currency"}
    assert [record.name for record in WHOLE] == ["CartData"]


def fields_of(record):
    return {field.name for field in RECORDS[record]}


def test_payloads_of_the_simulated_shop_have_all_fields():
    store = shipped_store()
    for product in store.products:
        item = make_item(product, store.currency, "en")
        assert set(item) == fields_of("Item")
        assert all(set(variant) == fields_of("Variant") for variant in item["variants"])
    cart = cart_data(read_cart("C1", store), "en")
    assert set(cart) == fields_of("CartData")
    assert all(set(line) == fields_of("CartLine") for line in cart["items"])
    assert set(currency(store)) == fields_of("Currency")


def test_simulated_shop_makes_every_field_of_event_parameters():
    assert PARAMETER_NAMES == set(PARAMETERS) == {name for slot in SLOTS.values() for name in slot.params}
