/**
 * Fields that nothing public shows. The simulated service has them so that there is something to show; on a real
 * one any of them may be missing or called otherwise, so all of them are optional.
 *
 * Written from src/awning/contract/payloads.py by `python -m awning.contract.descriptions types`.
 */
import type { Option } from "./observed.ts";

/** A line of the cart. */
export interface CartLine {
  /** Assumed. */
  id?: string;
  /** Assumed. Null for a product without variants. */
  variant_id?: string | null;
  /** Assumed. Plain text in the page's language. */
  name?: string;
  /** Assumed. */
  sku?: string;
  /** Assumed. */
  options?: Option[];
  /** Assumed. */
  quantity?: number;
  /** Assumed. Of one piece. */
  price?: number;
  /** Assumed. Of one piece, before a sale. */
  price_undiscounted?: number;
  /** Assumed. Grams of one piece. */
  weight?: number;
}

/** What else a cart may hold. */
export interface CartDetails {
  /** Assumed. */
  items?: CartLine[];
  /** Assumed. "" when there is none. */
  discount_code?: string;
  /** Assumed. 0 when there is none. */
  discount_amount?: number;
  /** Assumed. Null before a way of shipping is chosen. */
  shipping_price?: number | null;
  /** Assumed. */
  taxes?: number;
  /** Assumed. Grams. */
  weight?: number;
}

/** How prices are displayed. */
export interface Currency {
  /** Assumed. ISO 4217 code. */
  code?: string;
  /** Assumed. */
  symbol?: string;
  /** Assumed. Where the symbol stands. */
  position?: "before" | "after";
  /** Assumed. Digits after the separator. */
  decimals?: number;
  /** Assumed. */
  decimal_separator?: string;
  /** Assumed. */
  thousands_separator?: string;
}
