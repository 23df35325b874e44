/**
 * Fields that no public page shows. The simulated service has them so that widgets have data to show. On a real
 * service any of them may be missing or have another name, so all of them are optional.
 *
 * Written from src/awning/contract/payloads.py by `python -m awning.contract.descriptions types`.
 */
import type { Option } from "./observed.ts";

/** Further fields that a cart may have. */
export interface CartDetails {
  /** The lines of the cart (assumed). */
  items?: CartLine[];
  /** The discount code that was entered; "" when there is none (assumed). */
  discount_code?: string;
  /** The discount; 0 when there is none (assumed). */
  discount_amount?: number;
  /** The price of shipping (assumed). Null before a way of shipping is chosen. */
  shipping_price?: number | null;
  /** The taxes in the total (assumed). */
  taxes?: number;
  /** The weight of the cart in grams (assumed). */
  weight?: number;
}

/** A line of the cart. */
export interface CartLine {
  /** The product's number (assumed). */
  id?: string;
  /** The variant's number (assumed). Null for a product without variants. */
  variant_id?: string | null;
  /** The product's name, as plain text in the page's language (assumed). */
  name?: string;
  /** The stock keeping unit (assumed). */
  sku?: string;
  /** The options of the variant (assumed). */
  options?: Option[];
  /** The number of pieces (assumed). */
  quantity?: number;
  /** The price of one piece (assumed). */
  price?: number;
  /** The price of one piece without a sale (assumed). */
  price_undiscounted?: number;
  /** The weight of one piece in grams (assumed). */
  weight?: number;
}

/** The currency, and how prices are displayed. */
export interface Currency {
  /** The ISO 4217 code of the currency (assumed). */
  code?: string;
  /** The symbol of the currency, such as € (assumed). */
  symbol?: string;
  /** Whether the symbol is before or after the amount (assumed). */
  position?: "before" | "after";
  /** The number of digits after the decimal separator (assumed). */
  decimals?: number;
  /** The text between units and cents (assumed). */
  decimal_separator?: string;
  /** The text between groups of three digits (assumed). */
  thousands_separator?: string;
}
