"""The names of the simulated shop's products, carts, codes and themes.

A widget's state may use these names. The shop itself is in the harness, and a test
compares the two. The names belong to the simulation, not to the service.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class ShopProduct:
    """One product.

    `variants` maps each variant's id to its options in English. A product that is not `priced` cannot be put into a
    cart.
    """

    id: str
    priced: bool = True
    variants: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


def _shirt(first: int) -> Mapping[str, str]:
    names = [f"{size}/{colour}" for size in "SML" for colour in ("Red", "Blue")]
    return MappingProxyType({str(first + offset): name for offset, name in enumerate(names)})


SHOP_PRODUCTS: Mapping[str, ShopProduct] = MappingProxyType(
    {
        "P1": ShopProduct("1", variants=_shirt(101)),
        "P2": ShopProduct("2"),
        "P3": ShopProduct("3"),
        "P4": ShopProduct("4"),
        "P5": ShopProduct("5", variants=MappingProxyType({"501": "100 g", "502": "1 kg", "503": "5 kg"})),
        "P6": ShopProduct("6"),
        "P7": ShopProduct("7", priced=False),
        "P8": ShopProduct("8", variants=_shirt(801)),
    }
)
"""The products by the names that states use."""

SHOP_CARTS = ("C1", "free", "empty")
"""Carts with a name. A state writes any other cart as its lines: `P3x3`, `1.103x2,2x1`."""

SHOP_CODES = ("SAVE10", "FREE100")
SHOP_SHIPPING = ("parcel", "pickup")

SHOP_THEMES = ("plain", "reset", "tiny", "rtl", "dark", "narrow", "crowded")
"""The looks of the simulated shop."""

SHOP_POLICIES = ("nonce", "trusted-types")
"""The Content Security Policies that a page of the simulated shop can have."""
