/**
 * Fields seen on live pages. The specification does not promise them ("internal fields: not shown").
 *
 * Written from src/awning/contract/payloads.py by `python -m awning.contract.descriptions types`.
 */
import type { DocumentedVariant } from "./documented.ts";

/** The kind of page and its language. */
export interface Page {
  /** Observed. Language code of the page. */
  language: string;
  /** Observed. "catalog"; assumed to be the same on cart and checkout. */
  page: string;
}

/** One option dimension's value, such as a size. */
export interface Option {
  /** Observed. Plain text in the page's language. */
  title: string;
}

/** A variant of a product. */
export interface Variant extends DocumentedVariant {
  /** Observed. Digits. */
  id: string;
  /** Observed. One option per dimension. */
  options: Option[];
  /** Observed. Equal to price without a sale. */
  price_undiscounted: number;
  /** Observed. "" when unset. */
  sku: string;
  /** Observed. Null when stock is not managed. */
  stock: number | null;
}

/** A product. It always has these keys in this order, and no images, URL or VAT. */
export interface Item {
  /** Observed. Digits. */
  id: string;
  /** Observed. Plain text in the page's language. Not HTML: escape it. */
  name: string;
  /** Observed. "" when unset. */
  sku: string;
  /** Observed. "" when unset. */
  brand: string;
  /** Observed. Path joined by /. */
  category: string;
  /**
   * Observed. In currency units, as displayed. It may differ from the price of every variant: only an update tells
   * the price that a visitor pays.
   */
  price: number;
  /** Observed. Equal to price without a sale. */
  price_undiscounted: number;
  /** Observed. ISO 4217 code. */
  currency: string;
  /** Observed. In grams; 0 when unset. */
  weight: number;
  /** Observed. Null when stock is not managed. */
  stock: number | null;
  /** Observed. Empty when there are none. */
  variants: Variant[];
}

/** The two public fields of a cart. */
export interface CartTotals {
  /** Observed. May be 0. */
  total: number;
  /** Observed. Assumed to include shipping. */
  total_no_discount: number;
}
