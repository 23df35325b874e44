/**
 * Fields seen on live pages. The specification does not promise them ("internal fields: not shown").
 */
import type { DocumentedVariant } from "./documented.ts";

/** Page and language info. */
export interface Page {
  /** Observed: language code of the page, such as `"en"`. */
  language: string;
  /** Observed: `"catalog"`. Assumed to be the same on cart and checkout. */
  page: string;
}

/** One option dimension's value, such as a size. */
export interface Option {
  /** Observed: plain text in the page's language. */
  title: string;
}

/** A variant of a product. */
export interface Variant extends DocumentedVariant {
  /** Observed: digits. */
  id: string;
  /** Observed: one per option dimension. */
  options: Option[];
  /** Observed: equal to `price` without a sale. */
  price_undiscounted: number;
  /** Observed: `""` when unset. */
  sku: string;
  /** Observed: null when stock is not managed. */
  stock: number | null;
}

/** A product, always with this key set in this order. No images, URL or VAT. */
export interface Item {
  /** Observed: digits. */
  id: string;
  /** Observed: plain text, already in the page's language. Not HTML: escape it. */
  name: string;
  /** Observed: `""` when unset. */
  sku: string;
  /** Observed: `""` when unset. */
  brand: string;
  /** Observed: path joined by `/`. */
  category: string;
  /** Observed: currency units as displayed. May equal no variant's price: what a visitor sees is known after the first update. */
  price: number;
  /** Observed: equal to `price` without a sale. */
  price_undiscounted: number;
  /** Observed: ISO 4217 code. */
  currency: string;
  /** Observed: grams, 0 when unset. */
  weight: number;
  /** Observed: null when stock is not managed. */
  stock: number | null;
  /** Observed: `[]` when there are none. */
  variants: Variant[];
}

/** The two fields of a cart that are public. */
export interface CartTotals {
  /** Observed. A total of 0 is a total. */
  total: number;
  /** Observed. Assumed to include shipping. */
  total_no_discount: number;
}
