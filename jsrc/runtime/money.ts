/**
 * Formats amounts as the shop displays them. Observed: symbol first, no thousands separator, two decimals (`€4235.65`).
 * The cart's `currency` may have other rules; a product has only an ISO 4217 code.
 */
import type { Currency } from "../types/index.ts";
import type { Amount, Display } from "../types/view.ts";
import { finite } from "./intl/finite.ts";

const formats = { __proto__: null } as unknown as Record<string, [symbol: string, decimals: number]>;

/**
 * The currencies that have not two decimals (ISO 4217, list one, 2024). Intl differs by browser: for HUF, Chromium has
 * none and Firefox two.
 */
const DECIMALS: [codes: RegExp, decimals: number][] = [
  [/^(?:BIF|CLP|DJF|GNF|ISK|JPY|KMF|KRW|PYG|RWF|UGX|UYI|VND|VUV|X[AOP]F)$/i, 0],
  [/^(?:BHD|IQD|JOD|KWD|LYD|OMR|TND)$/i, 3],
  [/^(?:CLF|UYW)$/i, 4],
];

/**
 * Return the symbol of a currency code and the number of its decimals: `€` and 2 for `EUR`, `¥` and 0 for `JPY`. They are
 * cached, because Intl takes far longer than everything else here. For an unknown code, the symbol is the code.
 */
const formatOf = (code: string): [symbol: string, decimals: number] => {
  try {
    if (!formats[code]) {
      const format = new Intl.NumberFormat("en", { style: "currency", currency: code, currencyDisplay: "narrowSymbol" });
      const symbol = format.formatToParts().find(({ type }) => type == "currency")?.value as string;
      formats[code] = [symbol, DECIMALS.find(([codes]) => codes.test(code))?.[1] ?? 2];
    }
    return formats[code] as [string, number];
  } catch {
    return [code, 2];
  }
};

/**
 * Format an amount: `money(4235.65, item.currency)`, `money(cart.total, currency)`. Halves of the last digit are
 * rounded away from zero. An amount that is not a number gives an empty string; an unknown code is shown unchanged.
 */
export const money = (amount: Amount, currency: Display | null | undefined): string => {
  const value = finite(amount);
  if (value == null) {
    return "";
  }
  const display: Currency = typeof currency == "string" ? { code: currency } : (currency ?? {});
  const [sign, usual] =
    display.symbol == null || display.decimals == null ? formatOf(display.code ?? "") : ["", 2];
  const asked = +(display.decimals ?? usual);
  const decimals = asked >= 0 && asked <= 20 && Number.isInteger(asked) ? asked : 2;
  const symbol = display.symbol ?? sign;
  const exact = Math.abs(value);
  // Half a cent may be a little less as a double: up to 1e-6, if the amount is less than 1e10. From 1e21 on, toFixed
  // writes an exponent.
  const text =
    exact < 1e21
      ? (exact + 10 ** (-4 - decimals)).toFixed(decimals)
      : BigInt(exact) + (0).toFixed(decimals).slice(1);
  const [whole, fraction] = text.split(".") as [string, string?];
  const digits =
    whole.replace(/\B(?=(\d{3})+$)/g, () => display.thousands_separator ?? "") +
    (fraction ? (display.decimal_separator ?? ".") + fraction : "");
  return (value < 0 && +text ? "-" : "") + (display.position == "after" ? `${digits} ${symbol}` : symbol + digits);
};
