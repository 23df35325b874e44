/**
 * Fields seen on live pages. The specification does not promise them ("internal fields: not shown").
 *
 * Written from src/awning/contract/payloads.py by `python -m awning.contract.descriptions types`.
 */
import type { DocumentedVariant } from "./documented.ts";

/** The kind of page and its language. */
export interface Page {
  /** The language code of the page (observed). */
  language: string;
  /** The kind of page: "catalog" on product pages (observed). Cart and checkout pages are assumed to have the same. */
  page: string;
}

/** The value of one option, such as a size, of a variant or a line of the cart. */
export interface Option {
  /** The name of the value, as plain text in the page's language (observed). */
  title: string;
}

/** A product. It always has these keys in this order, and no images, URL or VAT. */
export interface Item {
  /** The product's number, as a text of digits (observed). */
  id: string;
  /** The name as plain text in the page's language (observed). It is not HTML, so escape it. */
  name: string;
  /** The stock keeping unit; "" when there is none (observed). */
  sku: string;
  /** The brand; "" when there is none (observed). */
  brand: string;
  /** The path of categories, joined by / (observed). */
  category: string;
  /**
   * The price in currency units, as displayed (observed). It may differ from the price of every variant: only an
   * update tells the price that a visitor pays.
   */
  price: number;
  /** The price before a discount (observed). It equals `price` when there is no sale. */
  price_undiscounted: number;
  /** The ISO 4217 code of the currency (observed). */
  currency: string;
  /** The weight in grams; 0 when it is not set (observed). */
  weight: number;
  /** The number of pieces in stock (observed). Null when stock is not managed. */
  stock: number | null;
  /** The variants; an empty list when there are none (observed). */
  variants: Variant[];
}

/** A variant of a product. */
export interface Variant extends DocumentedVariant {
  /** The variant's number, as a text of digits (observed). */
  id: string;
  /** One option for each dimension, such as size and colour (observed). */
  options: Option[];
  /** The price before a discount (observed). It equals `price` when there is no sale. */
  price_undiscounted: number;
  /** The stock keeping unit; "" when there is none (observed). */
  sku: string;
  /** The number of pieces in stock (observed). Null when stock is not managed. */
  stock: number | null;
}

/** The two public fields of a cart. */
export interface CartTotals {
  /** The sum to pay (observed). It may be 0. */
  total: number;
  /** The sum before discounts (observed). It is assumed to include shipping. */
  total_no_discount: number;
}
