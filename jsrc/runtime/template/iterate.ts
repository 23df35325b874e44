import { Thing, fail } from "./thing";

/** Return the items of Python's iteration: keys of a mapping, code points of a string, nothing for undefined. */
export function iterate(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (value instanceof Thing && value.$items) return value.$items();
  const text = value instanceof Thing ? value.$ : value;
  if (typeof text === "string") return Array.from(text);
  if (value === undefined) return [];
  if (typeof value !== "object" || !value || value instanceof Thing) return fail("it is not iterable");
  return Object.keys(value);
}

/** Unpack a value into exactly `count` items. */
export function unpack(value: unknown, count: number): unknown[] {
  const items = iterate(value);
  return items.length === count ? items : fail(`expected ${count} values, got ${items.length}`);
}
