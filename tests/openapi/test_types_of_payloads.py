"""The payloads' types in TypeScript and Python are generated from the contract's tables, and complete."""

from pathlib import Path
from typing import get_type_hints

import pytest

from awning.contract import payload_shapes
from awning.contract.descriptions import write_types
from awning.contract.payload_types import PARTS, TYPES, WHOLE, payloads_page
from awning.contract.payloads import PARAMETERS, PRICE_UPDATE, RECORDS
from awning.workspace.store import shipped_store
from awning_harness.storefront.cart import cart_data, currency, read_cart
from awning_harness.storefront.product_payload import make_item

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("path", TYPES)
def test_checked_in_files_are_current(path):
    again = "python -m awning.contract.descriptions types"
    assert (ROOT / path).read_text(encoding="utf-8") == TYPES[path](), f"write it again: {again}"


def test_command_writes_every_types_file(tmp_path):
    write_types(tmp_path)
    assert all((tmp_path / path).read_text(encoding="utf-8") == text() for path, text in TYPES.items())


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


@pytest.mark.parametrize("record", RECORDS)
def test_python_shape_has_the_fields_of_its_record(record):
    hints = get_type_hints(getattr(payload_shapes, record))
    assert set(hints) == {field.name for field in RECORDS[record]}


def test_payloads_page_lists_every_field_with_its_source():
    page = payloads_page()
    for field in [*PRICE_UPDATE, *(field for record in RECORDS.values() for field in record)]:
        rows = [row for row in page.splitlines() if row.startswith(f"| `{field.name}` |")]
        assert any(f"| {field.source} | {field.about}" in row for row in rows), field.name


def test_only_assumed_fields_may_be_missing():
    assert payload_shapes.CartData.__required_keys__ == {"total", "total_no_discount"}
    assert WHOLE[0] == "CartData"
    assert not payload_shapes.Currency.__required_keys__
    assert not payload_shapes.Item.__optional_keys__


def test_payloads_of_the_simulated_shop_have_all_fields():
    for product in shipped_store().products:
        assert (
            set(make_item(product, shipped_store().currency, "en")) == payload_shapes.Item.__required_keys__
        )
    assert set(cart_data(read_cart("C1", shipped_store()), "en")) == set(
        get_type_hints(payload_shapes.CartData)
    )
    assert set(currency(shipped_store())) == payload_shapes.Currency.__optional_keys__
