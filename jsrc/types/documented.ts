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
  /** Documented. The kind of page and its language. */
  page: Page;
}

/** The event parameter of `content-after-cart`, `content-after-checkout` and its `-updated`. */
export interface CartParam<CartData, Currency, Page> {
  /**
   * Documented. The cart. Observed: in an `-updated` event this is still the cart of the page load; only
   * updatedItem is current.
   */
  cartData: CartData;
  /** Documented. The currency, and how prices are displayed. */
  currency: Currency;
  /** Documented. The kind of page and its language. */
  page: Page;
}

/** The updatedItem of `content-after-price-updated`. */
export interface PriceUpdate<Item, Variant> {
  /**
   * Documented. Product info. Observed: the same object as the event parameter's item, without values of the
   * variant.
   */
  item: Item;
  /** Documented. Overrides product attributes such as price and weight. Observed: null when unknown. */
  selectedVariant: Variant | null;
  /** Documented. */
  selectedVariantId: string | null;
}

/** By the specification, these fields override attributes of the product "such as price and weight". */
export interface DocumentedVariant {
  /** Documented. Overrides the product's price. Observed: in currency units, as displayed. */
  price: number;
  /** Documented. Overrides the product's weight. Observed: in grams; null means the product's weight. */
  weight: number | null;
}
