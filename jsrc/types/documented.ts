/**
 * The fields that the specification promises (Apps Integration API, Events). The specification names the parts
 * of each payload, but not their fields. Those fields are observed (seen on live pages) or assumed (not seen,
 * needed to simulate). Treat every field that is not in this file as optional.
 *
 * Written from src/awning/contract/payloads.py by `python -m awning.contract.descriptions types`.
 */

/** The event parameter of `content-after-price` and its `-updated`. */
export interface PriceParam<Item, Page> {
  /** The product (documented). */
  item: Item;
  /** The kind of page and its language (documented). */
  page: Page;
}

/** The event parameter of `content-after-cart`, `content-after-checkout` and its `-updated`. */
export interface CartParam<CartData, Currency, Page> {
  /**
   * The cart (documented). Observed: in an `-updated` event it is still the cart of the page load. Only
   * updatedItem is current.
   */
  cartData: CartData;
  /** The currency, and how prices are displayed (documented). */
  currency: Currency;
  /** The kind of page and its language (documented). */
  page: Page;
}

/** The updatedItem of `content-after-price-updated`. */
export interface PriceUpdate<Item, Variant> {
  /**
   * The product (documented). Observed: it is the same object as the event parameter's item, without values of the
   * variant.
   */
  item: Item;
  /**
   * The chosen variant (documented). It overrides product attributes such as price and weight. Observed: null when
   * it is not known.
   */
  selectedVariant: Variant | null;
  /** The chosen variant's number (documented). */
  selectedVariantId: string | null;
}

/** By the specification, these fields override attributes of the product "such as price and weight". */
export interface DocumentedVariant {
  /** Overrides the product's price (documented). Observed: in currency units, as displayed. */
  price: number;
  /** Overrides the product's weight (documented). Observed: in grams; null means the product's weight. */
  weight: number | null;
}
