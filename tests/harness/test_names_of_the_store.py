"""A name that the store does not have is reported before a page is opened."""

from functools import partial

import pytest

from awning.workspace.store.store_files import shipped_store
from awning_harness.visit.pages.address import (
    NotInTheStore,
    require_cart,
    require_product,
    require_shipping,
    require_variant,
)

STORE = shipped_store()


def test_products_and_variants_are_found_by_key_or_id():
    for product in STORE.products:
        assert require_product(STORE, product.key) is require_product(STORE, product.id) is product
        assert all(require_variant(product, variant.id) is variant for variant in product.variants)


@pytest.mark.parametrize(
    ("look", "message"),
    [
        (partial(require_product, STORE, "P99"), "the store has no product 'P99'; it has P1, P2,"),
        (
            partial(require_variant, require_product(STORE, "P1"), "XXL/Red"),
            "P1 has no variant 'XXL/Red'; it has S/Red,",
        ),
        (partial(require_variant, None, "S/Red"), "this page has no variants to select"),
        (partial(require_cart, STORE, "C9"), "the store has no cart 'C9'; write C1, P3x3, free, empty,"),
        (
            partial(require_shipping, STORE, "moon"),
            "the store does not ship by 'moon'; there are parcel and pickup",
        ),
    ],
)
def test_unknown_name_is_reported_with_the_known_names(look, message):
    with pytest.raises(NotInTheStore) as raised:
        look()
    assert str(raised.value).startswith(message)
