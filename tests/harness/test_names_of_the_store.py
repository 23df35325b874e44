"""What a state or a test names of the store and is not there: one sentence, before a page is waited for."""

from functools import partial

import pytest

from awning_harness.named import NotInTheStore, known_cart, known_shipping, product_named, variant_named
from awning_harness.storefront.catalogue import PRODUCTS


def test_every_product_and_variant_has_a_name():
    for product in PRODUCTS:
        assert product_named(product.key) is product_named(product.id) is product
        assert all(variant_named(product, variant.id) is variant for variant in product.variants)


@pytest.mark.parametrize(
    ("look", "said"),
    [
        (partial(product_named, "P99"), "the store has no product 'P99'; it has P1, P2,"),
        (
            partial(variant_named, product_named("P1"), "XXL/Red"),
            "P1 has no variant 'XXL/Red'; it has S/Red,",
        ),
        (partial(variant_named, None, "S/Red"), "this page has no variants to select from"),
        (partial(known_cart, "C9"), "the store has no cart 'C9'; write C1, empty,"),
        (partial(known_shipping, "moon"), "the store does not ship by 'moon'; there are parcel and pickup"),
    ],
)
def test_what_is_not_there_is_told_of_with_what_is(look, said):
    with pytest.raises(NotInTheStore) as told:
        look()
    assert str(told.value).startswith(said)
