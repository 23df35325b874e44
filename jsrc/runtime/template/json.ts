/**
 * Shorter helpers for templates that meet nothing but JSON and print it only into a page (src/awning/template/plain.py).
 *
 * They rely on the engine for what is an error: an escaper throws for a list, a number has no iterator.
 */

import { escapeText } from "../escape/text";

/**
 * The text of a value: nothing of null, `True` of true. Lists, mappings, and numbers that Python writes with an exponent
 * are given back as they are, and every escaper throws for them.
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

/** Print a value. Strings take the short way: engines then compile it into the template (benchmarks/render). */
export const json_put = (value: unknown): string => escapeText(typeof value == "string" ? value : json_text(value));

/** Print a declared number: as `json_text`, and an error for what is no number. */
export const json_number = (value: number): string => {
  if (value !== +value || (value && !(Math.abs(value) < 1e16 && Math.abs(value) >= 1e-4))) throw TypeError();
  return `${value}`;
};

/** Something true where Python finds a value true. */
export const json_truth = (value: unknown): unknown =>
  typeof value == "object" && value ? Object.keys(value).length : value;

/** The items of a value, as Python iterates it. */
export const json_iterate = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : typeof value == "object" ? Object.keys(value as object) : [...((value ?? []) as string)];
