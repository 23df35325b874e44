/**
 * Formatters of Intl, each made once per language and options. Making a formatter takes a hundred times as long as
 * using it.
 *
 * A value that cannot be formatted (not a number, not a date, an option that Intl refuses) is shown as nothing. So a
 * widget never fails because of a value, and a shopper never reads `NaN`.
 */

interface Formatter<Value> {
  format(value: Value): string;
}

const formatters: Record<string, unknown> = {};

/** Convert a language for Intl: `pt_BR` becomes `pt-BR`. An invalid code becomes undefined: the browser's language. */
const known = (language: string | null | undefined): string | undefined => {
  try {
    return Intl.getCanonicalLocales((language as string).replace(/_/g, "-"))[0];
  } catch {
    return undefined;
  }
};

/** Format `value`; `""` if it is undefined or cannot be formatted. Formatters with different options differ in `kind`. */
export const formatted = <Value>(
  value: Value | undefined,
  kind: string,
  language: string | null | undefined,
  make: (language: string | undefined) => Formatter<Value>,
): string => {
  try {
    return value === undefined ? "" : ((formatters[`${kind} ${language}`] ??= make(known(language))) as Formatter<Value>).format(value);
  } catch {
    return "";
  }
};
