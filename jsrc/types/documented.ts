/**
 * The fields that the specification promises (Apps Integration API, Events). The specification names the parts
 * of each payload, but not their fields. Those fields are observed (seen on live pages) or assumed (not seen,
 * needed to simulate). Treat every field that is not in this file as optional.
 *
 * Written from src/awning/contract/payloads.py by `python -m awning.contract.descriptions types`.
 */

/** The event parameter of `content-after-price` and its `-updated`. */
export interface PriceParam<Item, Page> {
  /** Documented. Product info. */
  item: Item;
  /** Documented. Page and language info. */
  page: Page;
}

/** The event parameter of `content-after-cart`, `content-after-checkout` and its `-updated`. */
export interface CartParam<CartData, Currency, Page> {
  /**
   * Documented. The cart. Observed: on `-updated` this is still the cart of the page load: only updatedItem is
   * fresh.
   */
  cartData: CartData;
  /** Documented. How prices are displayed. */
  currency: Currency;
  /** Documented. Page and language info. */
  page: Page;
}

/** The updatedItem of `content-after-price-updated`. */
export interface PriceUpdate<Item, Variant> {
  /** Documented. Product info. Observed: the same object as the event parameter's item, nothing merged into it. */
  item: Item;
  /** Documented. Overrides product attributes such as price and weight. Observed: null when unknown. */
  selectedVariant: Variant | null;
  /** Documented. */
  selectedVariantId: string | null;
}

/** Documented as overriding attributes of the product "such as price and weight". */
export interface DocumentedVariant {
  /** Documented. Overrides the product's. Observed: currency units as displayed. */
  price: number;
  /** Documented. Overrides the product's. Observed: grams; null: the product's. */
  weight: number | null;
}
