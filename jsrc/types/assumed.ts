/**
 * Fields that no public page shows. The simulated service has them so that widgets have data to show. On a real
 * service any of them may be missing or have another name, so all of them are optional.
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
  /** Assumed. The price of one piece. */
  price?: number;
  /** Assumed. The price of one piece without a sale. */
  price_undiscounted?: number;
  /** Assumed. The weight of one piece in grams. */
  weight?: number;
}

/** Further fields that a cart may have. */
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
  /** Assumed. In grams. */
  weight?: number;
}

/** The currency, and how prices are displayed. */
export interface Currency {
  /** Assumed. ISO 4217 code. */
  code?: string;
  /** Assumed. */
  symbol?: string;
  /** Assumed. Whether the symbol is before or after the amount. */
  position?: "before" | "after";
  /** Assumed. The number of digits after the separator. */
  decimals?: number;
  /** Assumed. */
  decimal_separator?: string;
  /** Assumed. */
  thousands_separator?: string;
}
