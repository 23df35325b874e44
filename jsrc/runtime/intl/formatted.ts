/**
 * Formatters of Intl, each made once per language and options: making one costs some hundred times what using it does.
 *
 * What cannot be formatted (no number, no date, an option that Intl refuses) is shown as nothing: a widget never fails
 * for a value, and a shopper never reads `NaN`.
 */

interface Formatter<Value> {
  format(value: Value): string;
}

const made: Record<string, unknown> = {};

/** A language as Intl writes it (`pt_BR` is `pt-BR`); for one that is none, the browser's. */
const known = (language: string | null | undefined): string | undefined => {
  try {
    return Intl.getCanonicalLocales((language as string).replace(/_/g, "-"))[0];
  } catch {
    return undefined;
  }
};

/** `value` by the formatter of this `kind` (which spells the options) and language; `""` for undefined. */
export const formatted = <Value>(
  value: Value | undefined,
  kind: string,
  language: string | null | undefined,
  make: (language: string | undefined) => Formatter<Value>,
): string => {
  try {
    return value === undefined ? "" : ((made[`${kind} ${language}`] ??= make(known(language))) as Formatter<Value>).format(value);
  } catch {
    return "";
  }
};
