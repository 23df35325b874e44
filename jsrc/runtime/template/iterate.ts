import { Thing } from "./thing";

/** The items of a value, as Python iterates it: keys of a mapping, code points of a string, nothing of undefined. */
export function iterate(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (value === undefined) return [];
  if (typeof value === "string") return Array.from(value);
  if (value instanceof Thing) return value.$items();
  if (typeof value === "object" && value) return Object.keys(value);
  throw new TypeError("it is not iterable");
}

/** Take a value apart into exactly `count` items. */
export function unpack(value: unknown, count: number): unknown[] {
  const items = iterate(value);
  if (items.length !== count) throw new TypeError(`expected ${count} values, got ${items.length}`);
  return items;
}
