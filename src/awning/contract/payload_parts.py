"""The payloads as types: which interface holds which fields, so that an editor shows what is promised.

A record's documented, observed and assumed fields are interfaces of their own, in a file per source. Assumed fields
are optional: on a real service any of them may be missing or called otherwise.
"""

from dataclasses import dataclass

from awning.contract.payloads import PARAMETERS, PRICE_UPDATE, RECORDS, PayloadField, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class PayloadPart:
    """One interface. `extends` names others; `optional` says that any of its fields may be missing."""

    name: str
    source: Source
    about: str
    fields: tuple[PayloadField, ...]
    extends: tuple[str, ...] = ()

    @property
    def optional(self) -> bool:
        return self.source == "assumed"


def _of(
    record: str, source: Source, about: str, name: str = "", extends: tuple[str, ...] = ()
) -> PayloadPart:
    fields = tuple(field for field in RECORDS[record] if field.source == source)
    return PayloadPart(name=name or record, source=source, about=about, fields=fields, extends=extends)


def _parameter(name: str, about: str, *fields: str) -> PayloadPart:
    return PayloadPart(
        name=name, source="documented", about=about, fields=tuple(PARAMETERS[one] for one in fields)
    )


PARTS: tuple[PayloadPart, ...] = (
    _parameter(
        "PriceParam", "The event parameter of `content-after-price` and its `-updated`.", "item", "page"
    ),
    _parameter(
        "CartParam",
        "The event parameter of `content-after-cart`, `content-after-checkout` and its `-updated`.",
        "cartData",
        "currency",
        "page",
    ),
    PayloadPart(
        name="PriceUpdate",
        source="documented",
        about="The updatedItem of `content-after-price-updated`.",
        fields=PRICE_UPDATE,
    ),
    _of(
        "Variant",
        "documented",
        'Documented as overriding attributes of the product "such as price and weight".',
        "DocumentedVariant",
    ),
    _of("Page", "observed", "Page and language info."),
    _of("Option", "observed", "One option dimension's value, such as a size."),
    _of("Variant", "observed", "A variant of a product.", extends=("DocumentedVariant",)),
    _of("Item", "observed", "A product, always with this key set in this order. No images, URL or VAT."),
    _of("CartData", "observed", "The two fields of a cart that are public.", "CartTotals"),
    _of("CartLine", "assumed", "A line of the cart."),
    _of("CartData", "assumed", "What else a cart may hold.", "CartDetails"),
    _of("Currency", "assumed", "How prices are displayed."),
)
"""In the order in which a file names them. `CartData` is CartTotals and CartDetails together."""

WHOLE = ("CartData", ("CartTotals", "CartDetails"), "A cart: two observed fields, everything else assumed.")

HEADS: dict[Source, str] = {
    "documented": (
        "What the specification promises (Apps Integration API, Events), and not one field more. The specification "
        "names the parts of each payload but not what is inside them: the insides are observed (seen on live pages) or "
        "assumed (seen nowhere, needed to simulate). A widget that must not break reads anything that is not here as "
        "if it could be missing."
    ),
    "observed": 'Fields seen on live pages. The specification does not promise them ("internal fields: not shown").',
    "assumed": (
        "Fields that nothing public shows. The simulated service has them so that there is something to show; on a "
        "real one any of them may be missing or called otherwise, so all of them are optional."
    ),
}


def told(field: PayloadField) -> str:
    """What an editor shows at a field."""
    return " ".join(
        filter(None, (f"{field.source.capitalize()}.", field.about, field.seen and f"Observed: {field.seen}"))
    )
