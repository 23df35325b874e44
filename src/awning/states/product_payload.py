"""The `item` of a product event, derived from the store record and the page's language.

The keys and their order are observed on deployed pages. A payload has no images, URL or VAT.
"""

from typing import Any

from awning.states.money import number
from awning.workspace.store.records import CurrencyRecord, ProductRecord, VariantRecord, text


def make_item(record: ProductRecord, currency: CurrencyRecord, *languages: str) -> dict[str, Any]:
    """Return the `item` of a product. Each text is in the first of `languages` that it has."""
    return {
        "id": record.id,
        "name": text(record.title, *languages),
        "sku": record.sku,
        "brand": record.brand,
        "category": "/".join(text(part, *languages) for part in record.category),
        "price": number(record.price, currency.decimals),
        "price_undiscounted": number(
            record.price if record.before is None else record.before, currency.decimals
        ),
        "currency": currency.code,
        "weight": record.weight,
        "stock": record.stock,
        "variants": [make_variant(record, v, currency.decimals, *languages) for v in record.variants],
    }


def make_variant(
    record: ProductRecord, chosen: VariantRecord, decimals: int, *languages: str
) -> dict[str, Any]:
    """Return one element of `item.variants`. When `weight` is null, the product's weight applies."""
    return {
        "id": chosen.id,
        "options": option_titles(record, chosen, *languages),
        "price": number(chosen.price, decimals),
        "price_undiscounted": number(chosen.price if chosen.before is None else chosen.before, decimals),
        "sku": chosen.sku,
        "stock": chosen.stock,
        "weight": chosen.weight,
    }


def option_titles(
    record: ProductRecord, chosen: VariantRecord | None, *languages: str
) -> list[dict[str, str]]:
    """Return the options of a variant: `{title}` for each dimension; empty for a product without variants."""
    if chosen is None:
        return []
    pairs = zip(record.dimensions, chosen.options, strict=True)
    return [{"title": text(dimension.options[index].title, *languages)} for dimension, index in pairs]
