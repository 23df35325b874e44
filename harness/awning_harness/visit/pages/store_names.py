"""Looks up the names that a test or a state uses: products, variants, carts, ways of shipping."""

from awning.workspace.store.records import ProductRecord, VariantRecord, named_variant, option_names
from awning.workspace.store.store import Store


class NotInTheStore(ValueError):
    """The store, or the product of the page, has nothing with this name. The message lists the names."""


def require_product(store: Store, name: str) -> ProductRecord:
    """Return the product with this key (`P1`) or id. Raises NotInTheStore when there is none."""
    record = store.find_product(name)
    if record is None:
        keys = ", ".join(product.key for product in store.products)
        raise NotInTheStore(f"the store has no product {name!r}; it has {keys}")
    return record


def require_variant(product: ProductRecord | None, name: str) -> VariantRecord:
    """Return the variant with this id (`106`) or these options in English (`L/Blue`).

    Raises NotInTheStore when there is none, or when the page has no product.
    """
    if product is None:
        raise NotInTheStore("this page has no variants to select")
    record = named_variant(product, name)
    if record is None:
        names = ", ".join(option_names(product, variant) for variant in product.variants)
        raise NotInTheStore(f"{product.key} has no variant {name!r}; it has {names or 'none'}")
    return record


def require_cart(store: Store, name: str) -> str:
    """Return `name` if it is the name of a cart, `empty`, or lines such as `P3x3`. Raises NotInTheStore otherwise."""
    if not store.is_cart(name):
        forms = f"{', '.join(store.carts)}, empty, or lines such as P3x3 or 1.103x2,2x1"
        raise NotInTheStore(f"the store has no cart {name!r}; write {forms}")
    return name


def require_shipping(store: Store, way: str) -> str:
    """Return `way` if there is such a way of shipping. Raises NotInTheStore otherwise."""
    if way not in store.shipping:
        raise NotInTheStore(f"the store does not ship by {way!r}; there are {' and '.join(store.shipping)}")
    return way
