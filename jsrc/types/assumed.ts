/**
 * Fields that nothing public shows. The simulated service has them so that there is something to show; on a real
 * one any of them may be missing or called otherwise, so all of them are optional.
 */
import type { Option } from "./observed.ts";

/** A line of the cart. */
export interface CartLine {
  /** Assumed. */
  id?: string;
  /** Assumed: null for a product without variants. */
  variant_id?: string | null;
  /** Assumed: plain text in the page's language. */
  name?: string;
  /** Assumed. */
  sku?: string;
  /** Assumed. */
  options?: Option[];
  /** Assumed. */
  quantity?: number;
  /** Assumed: of one piece. */
  price?: number;
  /** Assumed: of one piece, before a sale. */
  price_undiscounted?: number;
  /** Assumed: grams of one piece. */
  weight?: number;
}

/** What else a cart may hold. */
export interface CartDetails {
  /** Assumed. */
  items?: CartLine[];
  /** Assumed: `""` when there is none. */
  discount_code?: string;
  /** Assumed: 0 when there is none. */
  discount_amount?: number;
  /** Assumed: null before a way of shipping is chosen. */
  shipping_price?: number | null;
  /** Assumed. */
  taxes?: number;
  /** Assumed: grams. */
  weight?: number;
}

/** How prices are displayed. */
export interface Currency {
  /** Assumed: ISO 4217 code. */
  code?: string;
  /** Assumed. */
  symbol?: string;
  /** Assumed: where the symbol stands. */
  position?: "before" | "after";
  /** Assumed: digits after the separator. */
  decimals?: number;
  /** Assumed. */
  decimal_separator?: string;
  /** Assumed. */
  thousands_separator?: string;
}
