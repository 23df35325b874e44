/** Converts values to text: the rule for numbers, Python's `str` and `repr`, and printing. */

import { escapeText } from "../escape/text";
import { Thing, fail, htmlOf } from "./thing";

/**
 * Return a number as text: a whole number below 1e16 without a point, any other like Python's repr of a float. Throws
 * TypeError for any other value, such as a wrongly declared variable, because only numbers have these methods.
 */
export const num = (value: number): string => {
  const size = Math.abs(value);
  return size === 0 || (size >= 1e-4 && size < 1e16)
    ? value.toPrecision()
    : value.toExponential().toLowerCase().replace(/e(.)(\d)$/, "e$10$2").replace("inity", "");
};

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

/** Return Python's repr, for `%r` and `!r`. Throws TypeError in the same cases as `str`. */
export const repr = (value: unknown): string =>
  typeof value === "string"
    ? quoted(value)
    : htmlOf(value) !== undefined
      ? `Markup(${quoted(str(value))})`
      : value === undefined
        ? "Undefined"
        : str(value);

/** Return a value that is neither a string nor Markup as it is printed. Throws TypeError for one without a text. */
const printed = (value: unknown): string =>
  typeof value === "number"
    ? num(value)
    : typeof value === "boolean"
      ? value
        ? "True"
        : "False"
      : value == null
        ? ""
        : fail("a list or mapping cannot be printed: use join or tojson");

/** Return Python's `str`. Throws TypeError for a list, a mapping, and any other value without a text. */
export const str = (value: unknown): string =>
  typeof value === "string" ? value : value === null ? "None" : (htmlOf(value) ?? printed(value));

/** Print a value as HTML. Markup is printed unchanged, and None as nothing. */
export const put = (value: unknown): string =>
  typeof value === "string" ? escapeText(value) : (htmlOf(value) ?? printed(value));

type Change = (text: string) => string;

/** Print a value into another HTML context. `markup` is for Markup; without it, `escape` gets the text of the Markup. */
export const putIn = (value: unknown, escape: Change, markup?: Change): string =>
  typeof value === "string"
    ? escape(value)
    : value instanceof Thing && value.$text
      ? markup
        ? markup(value.$ as string)
        : escape(value.$text())
      : escape(printed(value));
