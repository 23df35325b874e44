/** Converts values to text: the rule for numbers, Python's `str` and `repr`, and printing. */

import { escapeText } from "../escape/index";
import { Thing, Tuple, fail } from "./thing";

/** Return a number as text: a whole number below 1e16 without a point, any other like Python's repr of a float. */
export function num(value: number): string {
  const size = Math.abs(value);
  if (size < 1e16 && (size >= 1e-4 || !size)) return `${value}`;
  if (size < Infinity) return value.toExponential().replace(/e(.)(\d)$/, "e$10$2");
  return value > 0 ? "inf" : value < 0 ? "-inf" : "nan";
}

function escapeCharacter(character: string): string {
  const at = "\\\n\r\t".indexOf(character);
  if (at >= 0) return `\\${"\\nrt"[at]}`;
  const code = (character.codePointAt(0) as number).toString(16);
  const width = code.length < 3 ? 2 : code.length < 5 ? 4 : 8;
  return `\\${width < 4 ? "x" : width < 8 ? "u" : "U"}${code.padStart(width, "0")}`;
}

function quoted(text: string): string {
  const quote = /'/.test(text) && !/"/.test(text) ? '"' : "'";
  const inside = text.replace(/\\|(?! )[\p{C}\p{Z}]/gu, escapeCharacter);
  return quote + (quote < "'" ? inside : inside.replace(/'/g, "\\'")) + quote;
}

export function repr(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (value === undefined) return "Undefined";
  if (Array.isArray(value)) {
    const items = Array.from(value, repr).join(", ");
    return value instanceof Tuple ? `(${items}${value.length === 1 ? "," : ""})` : `[${items}]`;
  }
  if (value instanceof Thing) return value.$repr ? value.$repr(repr) : `Markup(${quoted(value.$ ?? fail("it cannot be printed"))})`;
  if (typeof value !== "object" || !value) return str(value);
  return `{${Object.entries(value).map(([key, inner]) => `${quoted(key)}: ${repr(inner)}`).join(", ")}}`;
}

export function str(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return num(value);
    case "boolean":
      return value ? "True" : "False";
    case "undefined":
      return "";
    case "function":
      return fail("a function cannot be printed");
    default:
      return value === null ? "None" : ((value instanceof Thing ? value.$ : undefined) ?? repr(value));
  }
}

/** Print a value as HTML. Markup is printed unchanged, and None as nothing. */
export const put = (value: unknown): string =>
  typeof value === "string" ? escapeText(value) : putIn(value, escapeText, (html) => html);

/** Print a value as HTML. A list or a mapping is an error: a widget does not show Python's notation to shoppers. */
export const putPlain = (value: unknown): string => putPlainIn(value, escapeText, (html) => html);

type Change = (text: string) => string;

/** Print a value into another HTML context: `escape` is for text, `markup` for Markup. */
export const putIn = (value: unknown, escape: Change, markup: Change): string =>
  value === null ? "" : value instanceof Thing && value.$ !== undefined ? markup(value.$) : escape(str(value));

export const putPlainIn = (value: unknown, escape: Change, markup: Change): string =>
  typeof value === "string"
    ? escape(value)
    : typeof value === "number"
      ? escape(num(value))
      : value === undefined || value === null
        ? ""
        : typeof value === "boolean"
          ? escape(value ? "True" : "False")
          : markup((value instanceof Thing ? value.$ : undefined) ?? fail("a list or mapping cannot be printed"));
