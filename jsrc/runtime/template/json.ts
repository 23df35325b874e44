/**
 * Shorter helpers, for templates that use only JSON values (src/awning/template/json_only.py).
 * The errors come from the JavaScript engine: all escapers throw for a list, and a number has no iterator.
 */

import { escapeText } from "../escape/text";

/**
 * Return the text of a value: "" for null, `True` for true. Lists, mappings, numbers that Python writes with an
 * exponent, and numbers that are not finite are returned unchanged. The escapers call a string's methods, so they throw
 * for them.
 */
export const json_text = (value: unknown): string =>
  (value == null
    ? ""
    : value === !!value
      ? value
        ? "True"
        : "False"
      : typeof value == "number" && (value === 0 || (Math.abs(value) < 1e16 && Math.abs(value) >= 1e-4))
        ? `${value}`
        : value) as string;

/** Print a value. Strings are handled first, so that engines inline the function (benchmarks/render). */
export const json_put = (value: unknown): string => escapeText(typeof value == "string" ? value : json_text(value));

/**
 * Return the text of a declared number. Throws TypeError for other values, and for numbers that Python writes with an
 * exponent.
 */
export const json_number = (value: number): string => {
  if (value !== +value || (value && !(Math.abs(value) < 1e16 && Math.abs(value) >= 1e-4))) throw TypeError();
  return `${value}`;
};

/** Return a value that is true in JavaScript if and only if `value` is true in Python. */
export const json_truth = (value: unknown): unknown =>
  typeof value == "object" && value ? Object.keys(value).length : value;

/** Return the items of Python's iteration. Throws TypeError for None, a number or a boolean. */
export const json_iterate = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : typeof value == "object" ? Object.keys(value as object) : [...((value ?? []) as string)];
