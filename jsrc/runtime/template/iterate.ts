import { Thing, fail } from "./thing";

/** Return the items of Python's iteration: keys of a mapping, code points of a string, nothing for undefined. */
export const iterate = (value: unknown): unknown[] =>
  Array.isArray(value)
    ? value
    : typeof value === "string"
      ? Array.from(value)
      : value === undefined
        ? []
        : ((value instanceof Thing ? value.$items?.() : typeof value === "object" && value && Object.keys(value)) ||
          fail("it is not iterable"));

/** Unpack a value into exactly `count` items. */
export function unpack(value: unknown, count: number): unknown[] {
  const items = iterate(value);
  return items.length === count ? items : fail(`expected ${count} values, got ${items.length}`);
}
