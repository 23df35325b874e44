"""What a shopper can choose in the simulated shop, by the names that the steps of states use."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from awning.workspace.store.records import option_names
from awning.workspace.store.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A kind of choice.

    names     the names of the choices on a page with this product or cart
    numbers   other names that are understood, too
    unknown   the beginning of the message about another name. `{page}` is the product or cart
    """

    names: Callable[[Store, str], tuple[str, ...]]
    numbers: Callable[[Store, str], tuple[str, ...]] = lambda _store, _page: ()
    unknown: str


def _variants(store: Store, product: str) -> tuple[str, ...]:
    """Return the options of each variant in English, such as `L/Blue`."""
    record = store.find_product(product)
    return tuple(option_names(record, variant) for variant in record.variants) if record else ()


def _variant_ids(store: Store, product: str) -> tuple[str, ...]:
    record = store.find_product(product)
    return tuple(variant.id for variant in record.variants) if record else ()


CHOICES: Mapping[str, Choice] = MappingProxyType(
    {
        "variant": Choice(names=_variants, numbers=_variant_ids, unknown="{page} has no variant"),
        "code": Choice(names=lambda store, _: tuple(store.codes), unknown="the shop has no code"),
        "shipping": Choice(names=lambda store, _: tuple(store.shipping), unknown="the shop has no delivery"),
    }
)
"""The kinds of choices, as `PageStep.choice` names them."""
