/**
 * Formats amounts as the shop displays them. Observed: symbol first, no thousands separator, two decimals (`€4235.65`).
 * The cart's `currency` may have other rules; a product has only an ISO 4217 code.
 */
import type { Currency } from "../types/index.ts";
import type { Amount, Display } from "../types/view.ts";
import { finite } from "./intl/finite.ts";

const signs = { __proto__: null } as unknown as Record<string, string>;

/**
 * Return the symbol of a currency code: `€` for `EUR`. It is cached, because Intl takes far longer than everything else
 * here.
 */
const signOf = (code: string): string => {
  try {
    return (signs[code] ??= new Intl.NumberFormat("en", { style: "currency", currency: code, currencyDisplay: "narrowSymbol" })
      .formatToParts()
      .find(({ type }) => type == "currency")?.value as string);
  } catch {
    return code;
  }
};

/**
 * Format an amount: `money(4235.65, item.currency)`, `money(cart.total, currency)`. Halves of the last digit are
 * rounded up. An amount that is not a number gives an empty text; an unknown code is shown unchanged.
 */
export const money = (amount: Amount, currency: Display | null | undefined): string => {
  const value = finite(amount);
  if (value == null) {
    return "";
  }
  const display: Currency = typeof currency == "string" ? { code: currency } : (currency ?? {});
  const asked = +(display.decimals ?? 2);
  const decimals = asked >= 0 && asked <= 20 ? asked : 2;
  const symbol = display.symbol ?? signOf(display.code ?? "");
  const scale = 10 ** decimals;
  const rounded = Math.round((Math.abs(value) + 1e-9) * scale) / scale;
  const [whole, fraction] = rounded.toFixed(decimals).split(".") as [string, string?];
  const digits =
    whole.replace(/\B(?=(\d{3})+$)/g, () => display.thousands_separator ?? "") +
    (fraction ? (display.decimal_separator ?? ".") + fraction : "");
  return (value < 0 && rounded ? "-" : "") + (display.position == "after" ? `${digits} ${symbol}` : symbol + digits);
};
