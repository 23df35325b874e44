/**
 * What the specification promises (Apps Integration API, Events), and not one field more.
 *
 * The specification names the parts of each payload but not what is inside them. The insides are in `observed.ts`
 * (seen on live pages) and `assumed.ts` (seen nowhere, needed to simulate). A widget that must not break reads
 * anything that is not in this file as if it could be missing.
 */

/** The event parameter of `content-after-price` and its `-updated`. */
export interface PriceParam<Item, Page> {
  /** Documented: product info. */
  item: Item;
  /** Documented: page and language info. */
  page: Page;
}

/** The event parameter of `content-after-cart`, `content-after-checkout` and its `-updated`. */
export interface CartParam<CartData, Currency, Page> {
  /** Documented. On `-updated` this is still the cart of the page load: only updatedItem is fresh. */
  cartData: CartData;
  /** Documented: how prices are displayed. */
  currency: Currency;
  /** Documented: page and language info. */
  page: Page;
}

/** The updatedItem of `content-after-price-updated`. */
export interface PriceUpdate<Item, Variant> {
  /** Documented. Observed: the same object as the event parameter's item, nothing merged into it. */
  item: Item;
  /** Documented: overrides product attributes such as price and weight. Observed: null when unknown. */
  selectedVariant: Variant | null;
  /** Documented. */
  selectedVariantId: string | null;
}

/** Documented as overriding attributes of the product "such as price and weight". */
export interface DocumentedVariant {
  /** Documented. Observed: currency units as displayed. */
  price: number;
  /** Documented. Observed: grams, or null when the product's weight counts. */
  weight: number | null;
}
