/** Implements the methods of Python's lists and mappings. A method that changes a value does so in place, as in Python. */

import { eq, hashable } from "../compare";
import { iterate } from "../iterate";
import { Dict, View, define, entries, notMapping, pairsFrom, pairsOf } from "../mapping";
import { Markup } from "../markup";
import { integer, isPlain, Tuple } from "../thing";

const owns = Object.prototype.hasOwnProperty;

function list(value: unknown): unknown[] {
  if (Array.isArray(value) && !(value instanceof Tuple)) return value;
  throw new TypeError("it is not a list");
}

export function method_append(owner: unknown, value: unknown): null {
  list(owner).push(value);
  return null;
}

export function method_extend(owner: unknown, values: unknown): null {
  list(owner).push(...iterate(values));
  return null;
}

export function method_insert(owner: unknown, index: unknown, value: unknown): null {
  list(owner).splice(integer(index), 0, value);
  return null;
}

export function method_remove(owner: unknown, value: unknown): null {
  const items = list(owner);
  const at = items.findIndex((item) => eq(item, value));
  if (at < 0) throw new RangeError("it is not in the list");
  items.splice(at, 1);
  return null;
}

export function method_reverse(owner: unknown): null {
  list(owner).reverse();
  return null;
}

const name = (key: unknown): unknown => (key instanceof Markup ? key.$ : key);

function has(owner: unknown, key: unknown): boolean {
  if (owner instanceof Dict) return owner.$has(key);
  if (!isPlain(owner)) return notMapping();
  if (!hashable(key)) throw new TypeError("this cannot be a key");
  const wanted = name(key);
  return typeof wanted === "string" && owns.call(owner, wanted);
}

const read = (owner: unknown, key: unknown): unknown =>
  owner instanceof Dict ? owner.$item(key) : (owner as Record<string, unknown>)[name(key) as string];

export const method_get = (owner: unknown, key: unknown, otherwise: unknown): unknown =>
  has(owner, key) ? read(owner, key) : otherwise;

function write(owner: unknown, key: unknown, value: unknown): void {
  if (owner instanceof Dict) return owner.$set(key, value);
  if (typeof key !== "string") throw new TypeError("a mapping that was made with string keys takes only strings");
  define(owner as object, key, value);
}

export function method_setdefault(owner: unknown, key: unknown, otherwise: unknown): unknown {
  if (!has(owner, key)) write(owner, key, otherwise);
  return read(owner, key);
}

export function method_update(owner: unknown, other: unknown): null {
  entries(owner) ?? notMapping();
  for (const [key, value] of pairsFrom(other)) write(owner, key, value);
  return null;
}

export const method_items = (owner: unknown): View => new View("items", pairsOf(owner));
export const method_keys = (owner: unknown): View => new View("keys", (entries(owner) ?? notMapping()).map(([key]) => key));
export const method_values = (owner: unknown): View => new View("values", (entries(owner) ?? notMapping()).map(([, value]) => value));

function drop(owner: unknown, key: unknown): void {
  if (owner instanceof Dict) owner.$delete(key);
  else delete (owner as Record<string, unknown>)[name(key) as string];
}

/** The arguments are counted, because a missing default differs from an undefined one. */
export function method_pop(owner: unknown, ...args: unknown[]): unknown {
  const [key, otherwise] = args;
  if (Array.isArray(owner)) {
    const items = list(owner);
    if (args.length > 1) throw new TypeError("pop of a list takes one index");
    const at = args.length ? integer(key) : -1;
    const index = at < 0 ? at + items.length : at;
    if (index < 0 || index >= items.length) throw new RangeError("pop index out of range");
    return items.splice(index, 1)[0];
  }
  if (!has(owner, key)) {
    if (args.length < 2) throw new RangeError("there is no such key");
    return otherwise;
  }
  const value = read(owner, key);
  drop(owner, key);
  return value;
}

export function method_clear(owner: unknown): null {
  if (Array.isArray(owner)) list(owner).length = 0;
  else for (const [key] of entries(owner) ?? notMapping()) drop(owner, key);
  return null;
}

export function method_copy(owner: unknown): unknown {
  if (Array.isArray(owner)) return [...list(owner)];
  if (owner instanceof Dict) {
    const out = new Dict();
    for (const [key, value] of owner.$pairs()) out.$set(key, value);
    return out;
  }
  return isPlain(owner) ? { ...owner } : notMapping();
}
