/** Filters of lists and mappings. A filter that returns a generator in Jinja2 returns a `Generator_` here. */

import { entry, item } from "../access";
import { add } from "../arithmetic";
import { eq, order } from "../compare";
import { filter_lower } from "./text";
import { Generator_, generator } from "../generator";
import { iterate } from "../iterate";
import { Dict, pairsOf } from "../mapping";
import { Markup, chars, html, isText, like } from "../markup";
import { str } from "../text";
import { fail, integer, isPlain, Thing, Tuple, tuple } from "../thing";
import { truth } from "../truth";

type Getter = (value: unknown) => unknown;

const path = (attribute: unknown): unknown[] =>
  attribute === null || attribute === undefined
    ? []
    : isText(attribute)
      ? chars(attribute).split(".").map((part) => (/^\d+$/.test(part) ? Number(part) : part))
      : [attribute];

/** Implements Jinja2's `make_attrgetter`: dots separate attributes, and a default replaces an undefined value. */
export function attribute_getter(attribute: unknown, otherwise: unknown, ignoreCase = false): Getter {
  const steps = path(attribute);
  return (value) => {
    let out = value;
    for (const step of steps) {
      out = entry(out, step);
      if (out === undefined && otherwise !== null && otherwise !== undefined && truthyDefault(otherwise)) out = otherwise;
    }
    return ignoreCase && isText(out) ? filter_lower(out) : out;
  };
}

const truthyDefault = (value: unknown): boolean => value !== null;

const getter = (attribute: unknown, caseSensitive: unknown): Getter => attribute_getter(attribute, null, !truth(caseSensitive));

/** Return whether `reverse` is true. In Python it is a C int, so a large number is an error. */
const backwards = (reverse: unknown): boolean =>
  Math.abs(integer(reverse)) < 2 ** 31 ? !!reverse : fail("the number is too large");

type Order = (a: unknown, b: unknown) => number;

const stable = <T>(items: T[], key: (item: T) => unknown, reverse: boolean, compare: Order = order): T[] => {
  const keyed = items.map((item) => [key(item), item] as const);
  const sign = reverse ? -1 : 1;
  return keyed.sort(([a], [b]) => sign * compare(a, b)).map(([, item]) => item);
};

/** Compare two lists of keys by the first keys that differ. */
const byKeys: Order = (a, b) => {
  const [left, right] = [a as unknown[], b as unknown[]];
  const at = left.findIndex((key, at) => !eq(key, right[at]));
  return at < 0 ? 0 : order(left[at], right[at]);
};

export function filter_sort(value: unknown, reverse: unknown, caseSensitive: unknown, attribute: unknown): unknown[] {
  const names = isText(attribute) ? chars(attribute).split(",") : [attribute];
  const getters = names.map((name) => getter(name, caseSensitive));
  const key = (item: unknown): unknown => getters.map((get) => get(item));
  return stable([...iterate(value)], key, backwards(reverse), byKeys);
}

export function filter_dictsort(value: unknown, caseSensitive: unknown, by: unknown, reverse: unknown): unknown[] {
  if (by !== "key" && by !== "value") throw new TypeError('You can only sort by either "key" or "value"');
  const at = by === "key" ? 0 : 1;
  const fold = getter(null, caseSensitive);
  return stable(pairsOf(value) as unknown[][], (pair) => fold(pair[at]), backwards(reverse));
}

function extreme(value: unknown, caseSensitive: unknown, attribute: unknown, sign: number): unknown {
  const key = getter(attribute, caseSensitive);
  const [first, ...rest] = iterate(value);
  let best = first;
  for (const item of rest) if (sign * order(key(item), key(best)) > 0) best = item;
  return best;
}

export const filter_min = (value: unknown, caseSensitive: unknown, attribute: unknown): unknown =>
  extreme(value, caseSensitive, attribute, -1);
export const filter_max = (value: unknown, caseSensitive: unknown, attribute: unknown): unknown =>
  extreme(value, caseSensitive, attribute, 1);

export const filter_unique = (value: unknown, caseSensitive: unknown, attribute: unknown): Generator_ =>
  generator(function* () {
    const key = getter(attribute, caseSensitive);
    const seen = new Dict();
    for (const item of iterate(value)) {
      const itemKey = key(item);
      if (seen.$has(itemKey)) continue;
      seen.$set(itemKey, true);
      yield item;
    }
  });

export function filter_groupby(value: unknown, attribute: unknown, otherwise: unknown, caseSensitive: unknown): unknown[] {
  const key = attribute_getter(attribute, otherwise, !truth(caseSensitive));
  const exact = attribute_getter(attribute, otherwise);
  const groups: [unknown, unknown[]][] = [];
  for (const item of stable([...iterate(value)], key, false)) {
    const last = groups[groups.length - 1];
    if (last && eq(last[0], key(item))) last[1].push(item);
    else groups.push([key(item), [item]]);
  }
  return groups.map(([, items]) => {
    const grouper = exact(items[0]);
    return Object.assign(tuple(grouper, items), { grouper, list: items });
  });
}

export function filter_sum(value: unknown, attribute: unknown, start: unknown): unknown {
  const key = attribute_getter(attribute, null);
  return iterate(value).reduce((total, item) => add(total, key(item)), start);
}

/** Join the items. `key` reads the attribute of each item, if the filter has one. */
export function filter_join(value: unknown, separator: unknown, key: Getter = (item) => item): unknown {
  const items = iterate(value).map((item) => key(item));
  if (separator instanceof Markup) return new Markup(items.map(html).join(separator.$));
  if (separator !== undefined && items.some((item) => item instanceof Markup)) {
    return new Markup(items.map(html).join(html(separator)));
  }
  const texts = items.map((item) => (item instanceof Markup ? item.$ : str(item)));
  return texts.join(str(separator));
}

function* first(value: unknown): Iterator<unknown> {
  yield* iterate(value);
}

export function filter_first(value: unknown): unknown {
  return value instanceof Generator_ ? value.$iterator.next().value : first(value).next().value;
}

function reversible(value: unknown): unknown[] {
  if (value instanceof Generator_ || value === null || typeof value === "number") throw new TypeError("it is not reversible");
  return iterate(value);
}

export function filter_last(value: unknown): unknown {
  const items = reversible(value);
  const last = items[items.length - 1];
  return value instanceof Markup && items.length ? like(value, last as string) : last;
}

export function filter_reverse(value: unknown): unknown {
  if (isText(value)) return like(value, Array.from(chars(value)).reverse().join(""));
  return generator(() => [...iterate(value)].reverse()[Symbol.iterator]());
}

export const filter_list = (value: unknown): unknown[] => Array.from(iterate(value));

export const filter_items = (value: unknown): Generator_ =>
  generator(function* () {
    if (value === undefined) return;
    yield* pairsOf(value);
  });

export const filter_batch = (value: unknown, count: unknown, fill: unknown): Generator_ =>
  generator(function* () {
    let row: unknown[] = [];
    for (const item of iterate(value)) {
      if (eq(row.length, count)) {
        yield row;
        row = [];
      }
      row.push(item);
    }
    if (!row.length) return;
    while (fill !== null && row.length < integer(count)) row.push(fill);
    yield row;
  });

export const filter_slice = (value: unknown, slices: unknown, fill: unknown): Generator_ =>
  generator(function* () {
    const items = [...iterate(value)];
    const count = integer(slices);
    if (!count) throw new RangeError("integer division or modulo by zero");
    const size = Math.floor(items.length / count);
    const extra = items.length % count;
    for (let at = 0, offset = 0; at < count; at++) {
      const start = offset + at * size;
      if (at < extra) offset++;
      const column = items.slice(start, offset + (at + 1) * size);
      if (fill !== null && at >= extra) column.push(fill);
      yield column;
    }
  });

function* lazily(value: unknown): Generator<unknown> {
  if (!(value instanceof Generator_)) return yield* iterate(value);
  for (let next = value.$iterator.next(); !next.done; next = value.$iterator.next()) yield next.value;
}

export const filter_map = (value: unknown, change: Getter): Generator_ =>
  generator(function* () {
    if (!truth(value)) return;
    for (const item of lazily(value)) yield change(item);
  });

export const filter_select = (value: unknown, decide: Getter, keep: boolean, get?: Getter): Generator_ =>
  generator(function* () {
    if (!truth(value)) return;
    for (const item of lazily(value)) if (!truth(decide(get ? get(item) : item)) !== keep) yield item;
  });

/** Read an attribute, not a key: `obj|attr("name")`. JSON values have no attributes; loops, macros and groups do. */
export function filter_attr(value: unknown, name: unknown): unknown {
  if (!isText(name)) throw new TypeError("an attribute's name is a string");
  if (value === undefined || isPlain(value) || value instanceof Dict) return undefined;
  if (value instanceof Thing || value instanceof Tuple) return item(value, name);
  return undefined;
}

