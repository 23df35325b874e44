/** Implements Python's comparisons: deep equality, order by code points, an error for types without order. */

import { iterate } from "./iterate";
import { Thing, Tuple, fail, htmlOf, isPlain } from "./thing";

/** Return Markup as its text, a boolean as a number, and any other value unchanged. */
const bare = (value: unknown): unknown =>
  htmlOf(value) ?? (typeof value === "boolean" ? Number(value) : value);

export function eq(left: unknown, right: unknown): boolean {
  const a = bare(left);
  const b = bare(right);
  if (a === b || typeof a !== "object" || typeof b !== "object" || !a || !b) return a === b;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a instanceof Tuple === b instanceof Tuple &&
      a.every((item, at) => eq(item, b[at]))
    );
  }
  if (a instanceof Thing && a.$equals) return a.$equals(b);
  if (b instanceof Thing && b.$equals) return b.$equals(a);
  if (!isPlain(a) || !isPlain(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.prototype.hasOwnProperty.call(b, key) && eq(a[key], b[key]))
  );
}

/** Compare two strings by code point: negative, zero or positive. */
export function ordered(a: string, b: string): number {
  if (a === b) return 0;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1);
}

/** Compare two numbers or two texts: negative, zero or positive; NaN if a number is NaN. Throws for other values. */
export function order(left: unknown, right: unknown): number {
  const a = bare(left);
  const b = bare(right);
  return typeof a === "number" && typeof b === "number"
    ? a === b
      ? 0
      : a - b
    : typeof a === "string" && typeof b === "string"
      ? ordered(a, b)
      : fail("only numbers and texts have an order");
}

/**
 * Whether a value can be a key of a mapping. Lists, mappings, views of keys or items, and tuples with one of them
 * cannot.
 */
export const hashable = (key: unknown): boolean =>
  Array.isArray(key) ? key instanceof Tuple && key.every(hashable) : !isMapping(key) && !isView(key);

const isView = (value: unknown): boolean =>
  value instanceof Thing && "$list" in value && (value as { $name?: unknown }).$name !== "values";

const isMapping = (value: unknown): boolean => isPlain(value) || (value instanceof Thing && "$map" in value);

/** Whether `item in collection` is true. */
export function contains(item: unknown, collection: unknown): boolean {
  const wanted = bare(item);
  const whole = typeof collection === "boolean" ? collection : bare(collection);
  if (typeof whole === "string") {
    if (typeof wanted === "string") return whole.includes(wanted);
    throw new TypeError("a string contains only strings");
  }
  if (isMapping(whole) && !hashable(wanted)) throw new TypeError("a list or mapping is no key");
  if (isPlain(whole)) {
    return typeof wanted === "string" && Object.prototype.hasOwnProperty.call(whole, wanted);
  }
  return iterate(whole).some((element) => eq(element, item));
}
