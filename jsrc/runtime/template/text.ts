/** How values become text: the one number rule, Python's `str` and `repr`, and printing into a hole. */

import { escapeText } from "../escape/index";
import { Markup } from "./markup";
import { Thing, Tuple } from "./thing";

/** A whole number below 1e16 without a point; any other as Python's repr of the double. */
export function num(value: number): string {
  const size = Math.abs(value);
  if (size < 1e16 && (size >= 1e-4 || !size)) return String(value);
  if (size === Infinity) return value > 0 ? "inf" : "-inf";
  return value === value ? value.toExponential().replace(/e(.)(\d)$/, "e$10$2") : "nan";
}

function character(one: string): string {
  const named = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", " ": " " }[one];
  if (named) return named;
  const code = one.codePointAt(0) as number;
  const [letter, width] = code < 256 ? ["x", 2] : code < 65536 ? ["u", 4] : ["U", 8];
  return `\\${letter}${code.toString(16).padStart(width as number, "0")}`;
}

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inside = text.replace(/[\\\p{C}\p{Z}]/gu, character);
  return quote + (quote === "'" ? inside.replace(/'/g, "\\'") : inside) + quote;
}

export function repr(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (value === undefined) return "Undefined";
  if (typeof value !== "object" || !value) return str(value);
  if (value instanceof Thing) return value.$repr();
  if (!Array.isArray(value)) {
    return `{${Object.keys(value).map((key) => `${quoted(key)}: ${repr((value as Record<string, unknown>)[key])}`).join(", ")}}`;
  }
  const items = Array.from(value, repr).join(", ");
  return value instanceof Tuple ? `(${items}${value.length === 1 ? "," : ""})` : `[${items}]`;
}

export function str(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return num(value);
  if (value === undefined) return "";
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "function") throw new TypeError("a function cannot be printed");
  return value instanceof Thing ? value.$str() : repr(value);
}

/** Print a value into text. */
export const put = (value: unknown): string =>
  typeof value === "string"
    ? escapeText(value)
    : value === null
      ? ""
      : value instanceof Markup
        ? value.$
        : escapeText(str(value));

/** Print a value into another context: its escaper, and what is done to Markup there. */
export const putIn = (value: unknown, escape: (text: string) => string, markup: (html: string) => string): string =>
  value === null ? "" : value instanceof Markup ? markup(value.$) : escape(str(value));
