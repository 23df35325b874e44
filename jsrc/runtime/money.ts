/**
 * Amounts as the shop displays them. Observed: symbol first, no thousands separator, two decimals (`€4235.65`). The
 * cart's `currency` says how, as far as it says anything; for a product there is only an ISO 4217 code.
 */
import type { Currency } from "../types/index.ts";

const signs: Record<string, string> = {};

/** `€` for `EUR`. Asking Intl costs far more than everything else here, so once per currency. */
const signOf = (code: string): string => {
  try {
    return (signs[code] ??= new Intl.NumberFormat("en", { style: "currency", currency: code, currencyDisplay: "narrowSymbol" })
      .formatToParts(0)
      .find(({ type }) => type == "currency")?.value as string);
  } catch {
    return code;
  }
};

/** `money(4235.65, item.currency)`, `money(cart.total, currency)`. Halves of the last digit are rounded up. */
export const money = (amount: number, currency: Currency | string | null | undefined): string => {
  const {
    code = "",
    symbol = signOf(code),
    position = "before",
    decimals = 2,
    decimal_separator = ".",
    thousands_separator = "",
  } = typeof currency == "string" ? ({ code: currency } as Currency) : (currency ?? {});
  const scale = 10 ** decimals;
  const [whole = "", fraction] = (Math.round((Math.abs(amount) + 1e-9) * scale) / scale).toFixed(decimals).split(".");
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, thousands_separator) + (fraction ? decimal_separator + fraction : "");
  return (amount < 0 ? "-" : "") + (position == "after" ? `${digits} ${symbol}` : symbol + digits);
};
