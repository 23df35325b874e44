"""What a test or a state names of the simulated store: products, their variants, carts, ways of delivery."""

from awning_harness.storefront.cart import SHIPPING, read_cart
from awning_harness.storefront.catalogue import PRODUCTS
from awning_harness.storefront.records import ProductRecord, VariantRecord, named_variant, option_names


class NotInTheStore(ValueError):
    """The store has nothing of that name. The sentence says what it has."""


def product_named(name: str) -> ProductRecord:
    """By its key (`P1`) or its id."""
    record = next((one for one in PRODUCTS if name in (one.key, one.id)), None)
    if record is None:
        keys = ", ".join(one.key for one in PRODUCTS)
        raise NotInTheStore(f"the store has no product {name!r}; it has {keys}")
    return record


def variant_named(product: ProductRecord | None, name: str) -> VariantRecord:
    """By its id (`106`) or its options in English (`L/Blue`). A page without a product has none."""
    if product is None:
        raise NotInTheStore("this page has no variants to select from")
    record = named_variant(product, name)
    if record is None:
        names = ", ".join(option_names(product, variant) for variant in product.variants)
        raise NotInTheStore(f"{product.key} has no variant {name!r}; it has {names or 'none'}")
    return record


def known_cart(name: str) -> str:
    """The name, if it is a cart's."""
    if read_cart(name) is None:
        forms = "C1, empty, P3x3, free, or lines such as 1.103x2,2x1"
        raise NotInTheStore(f"the store has no cart {name!r}; write {forms}")
    return name


def known_shipping(way: str) -> str:
    """The way of delivery, if there is such a one."""
    if way not in SHIPPING:
        raise NotInTheStore(f"the store does not ship by {way!r}; there are {' and '.join(SHIPPING)}")
    return way
