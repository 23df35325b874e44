/** Mappings with any keys, and the views that `.items()`, `.keys()` and `.values()` return. */

import { eq } from "./compare";
import { iterate, unpack } from "./iterate";
import { Markup } from "./markup";
import { Thing, Tuple, isPlain, tuple } from "./thing";

/** Return a string that is the same for keys that are equal in Python: 1, 1.0 and True are one key. */
function spelled(key: unknown): string {
  if (typeof key === "string") return `s${key}`;
  if (key instanceof Markup) return `s${key.$}`;
  if (typeof key === "number" || typeof key === "boolean") return `n${Number(key)}`;
  if (key instanceof Tuple) return `t${Array.from(key, (item) => JSON.stringify(spelled(item))).join()}`;
  if (key === null || key === undefined) return `${key}`;
  throw new TypeError("this cannot be a key");
}

/** Return the array index for a key such as 2 or "2"; -1 for any other key. JavaScript puts indices before other keys. */
const indexOf = (name: unknown): number => {
  const key = name instanceof Markup ? name.$ : name;
  if (typeof key === "number") return Number.isInteger(key) && key >= 0 && key < 4294967295 ? key : -1;
  return typeof key === "string" && /^(0|[1-9]\d{0,9})$/.test(key) && Number(key) < 4294967295 ? Number(key) : -1;
};

/**
 * Whether a key is also stored as a property, for attributes and literal subscripts: all strings are, except those that
 * begin with `$`, as internal names do. `name` is the key as `spelled` returns it.
 */
const isField = (name: string): boolean => name[0] === "s" && name[1] !== "$";

export class Dict extends Thing {
  declare $map: Map<string, [unknown, unknown]>;
  constructor() {
    super();
    this.$map = new Map();
  }
  $set(key: unknown, value: unknown): void {
    const name = spelled(key);
    this.$map.set(name, [this.$map.get(name)?.[0] ?? key, value]);
    if (isField(name)) define(this, name.slice(1), value);
  }
  $has(key: unknown): boolean {
    return this.$map.has(spelled(key));
  }
  $delete(key: unknown): void {
    const name = spelled(key);
    this.$map.delete(name);
    if (isField(name)) delete (this as Record<string, unknown>)[name.slice(1)];
  }
  $pairs(): [unknown, unknown][] {
    const pairs = [...this.$map.values()];
    const indexed = pairs.filter(([key]) => indexOf(key) >= 0).sort(([a], [b]) => indexOf(a) - indexOf(b));
    return [...indexed, ...pairs.filter(([key]) => indexOf(key) < 0)];
  }
  $truth(): boolean {
    return this.$map.size > 0;
  }
  $length(): number {
    return this.$map.size;
  }
  $items(): unknown[] {
    return this.$pairs().map(([key]) => key);
  }
  $item(key: unknown): unknown {
    return Array.isArray(key) && !(key instanceof Tuple) ? undefined : this.$map.get(spelled(key))?.[1];
  }
  $equals(other: unknown): boolean {
    const pairs = entries(other);
    return (
      !!pairs && pairs.length === this.$map.size && pairs.every(([key, value]) => this.$has(key) && eq(this.$item(key), value))
    );
  }
}

/** Return the pairs of a mapping; undefined for any other value. */
export function entries(value: unknown): [unknown, unknown][] | undefined {
  if (value instanceof Dict) return value.$pairs();
  return isPlain(value) ? Object.entries(value) : undefined;
}

/** Make a mapping of pairs: a plain object if all keys are strings. */
export function dict(pairs: [unknown, unknown][]): unknown {
  if (pairs.every(([key]) => typeof key === "string")) {
    const out: Record<string, unknown> = {};
    for (const [key, value] of pairs) define(out, key as string, value);
    return out;
  }
  const out = new Dict();
  for (const [key, value] of pairs) out.$set(key, value);
  return out;
}

/** Set a key as an own property, even if it is `__proto__`. */
export const define = (owner: object, key: string, value: unknown): void => {
  Object.defineProperty(owner, key, { value, writable: true, enumerable: true, configurable: true });
};

/** Return the pairs of an argument of `dict` and `update`: a mapping or a list of pairs. */
export function pairsFrom(value: unknown): [unknown, unknown][] {
  if (value === undefined) return notMapping();
  return entries(value) ?? iterate(value).map((pair) => unpack(pair, 2) as [unknown, unknown]);
}

/** Implements Jinja2's `dict(...)`. */
export function dict_of(args: unknown[], keywords: Record<string, unknown>): unknown {
  if (args.length > 1) throw new TypeError("dict takes at most one mapping");
  const pairs = args.length ? pairsFrom(args[0]) : [];
  return dict([...pairs, ...Object.entries(keywords)]);
}

/** The result of `.items()`, `.keys()` and `.values()`. */
export class View extends Thing {
  declare $name: string;
  declare $list: unknown[];
  constructor(name: string, list: unknown[]) {
    super();
    this.$name = name;
    this.$list = list;
  }
  $truth(): boolean {
    return this.$list.length > 0;
  }
  $length(): number {
    return this.$list.length;
  }
  $items(): unknown[] {
    return this.$list;
  }
}

export const pairsOf = (value: unknown): unknown[] => (entries(value) ?? notMapping()).map(([key, inner]) => tuple(key, inner));

export function notMapping(): never {
  throw new TypeError("it is not a mapping");
}
