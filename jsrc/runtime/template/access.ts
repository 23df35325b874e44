/** Reads attributes, subscripts and slices of values. No function reads a property of a prototype. */

import { Markup, chars, like } from "./markup";
import { Thing, Tuple, fail, isPlain } from "./thing";

const owns = Object.prototype.hasOwnProperty;

/**
 * Return an own property; undefined if there is none. Use `item` for `length` and for indices, because in JavaScript
 * they are own properties of lists and strings.
 */
export function get(owner: unknown, name: string): unknown {
  const value = (owner as Record<string, unknown> | undefined)?.[name];
  return value === undefined || owns.call(owner, name) ? value : undefined;
}

/** Return a letter for a value's Python type: (s)tring, (n)umber, (t)uple, (l)ist, (d)ict; a space for any other. */
function typeOf(value: unknown): string {
  if (typeof value === "string" || value instanceof Markup) return "s";
  if (typeof value === "number" || typeof value === "boolean") return "n";
  if (Array.isArray(value)) return value instanceof Tuple ? "t" : "l";
  return isPlain(value) || (value instanceof Thing && "$map" in value) ? "d" : " ";
}

/**
 * Read an attribute whose name is also that of a method of the types in `types`. If the owner has one of these types,
 * throw an error, because a method is not a value.
 */
export const field = (owner: unknown, name: string, types: string): unknown =>
  types.includes(typeOf(owner)) ? fail(`.${name} is a method`) : get(owner, name);

/** Return the position of an index in a sequence of `length`; a negative number when the index is not valid. */
function position(key: unknown, length: number): number {
  const index = typeof key === "boolean" ? Number(key) : key;
  if (typeof index !== "number" || !Number.isInteger(index)) return -1;
  return index < 0 ? index + length : index < length ? index : -1;
}

export function item(owner: unknown, key: unknown): unknown {
  if (owner instanceof Markup || typeof owner === "string") {
    const points = Array.from(chars(owner));
    const point = points[position(key, points.length)];
    return point === undefined ? undefined : like(owner, point);
  }
  const name = key instanceof Markup ? key.$ : key;
  if (Array.isArray(owner)) {
    return typeof name === "string" ? (/^(\d|length$)/.test(name) ? undefined : get(owner, name)) : owner[position(name, owner.length)];
  }
  if (owner instanceof Thing) {
    const element = owner.$item?.(name);
    return element === undefined && typeof name === "string" && name[0] !== "$" ? get(owner, name) : element;
  }
  return typeof name === "string" ? get(owner, name) : undefined;
}

/**
 * Read `owner[key]`, where `key` is also the name of a method of the types in `types`. If the owner has one of these
 * types and no such key, throw an error.
 */
export function keyed(owner: unknown, key: string, types: string): unknown {
  const element = item(owner, key);
  return element === undefined && types.includes(typeOf(owner)) ? fail(`.${key} is a method`) : element;
}

const OF_MAPPINGS = /^(clear|copy|fromkeys|get|items|keys|pop(item)?|setdefault|update|values)$/;

/** Read `owner[key]` where the key is known only at run time. */
export const entry = (owner: unknown, key: unknown): unknown =>
  typeof key === "string" && OF_MAPPINGS.test(key) ? keyed(owner, key, "d") : item(owner, key);

function bound(value: unknown, length: number, least: number, most: number, otherwise: number): number {
  if (value === null || value === undefined) {
    if (value === null) return otherwise;
    throw new TypeError("slice indices must be integers or None");
  }
  const index = typeof value === "boolean" ? Number(value) : value;
  if (typeof index !== "number" || !Number.isInteger(index)) throw new TypeError("slice indices must be integers or None");
  return Math.min(Math.max(index < 0 ? index + length : index, least), most);
}

/** Return the indices of a slice in a sequence of `length`, like Python's `slice.indices`. */
export function indices(length: number, start: unknown, stop: unknown, step: unknown): number[] {
  const by = step === null ? 1 : bound(step, 0, -Infinity, Infinity, 1);
  if (!by) throw new RangeError("slice step cannot be zero");
  const [least, most] = by > 0 ? [0, length] : [-1, length - 1];
  const from = bound(start, length, least, most, by > 0 ? 0 : length - 1);
  const to = bound(stop, length, least, most, by > 0 ? length : -1);
  const out: number[] = [];
  for (let at = from; by > 0 ? at < to : at > to; at += by) out.push(at);
  return out;
}

export function sliced(owner: unknown, start: unknown, stop: unknown, step: unknown): unknown {
  if (owner === undefined) return undefined;
  if (owner instanceof Markup || typeof owner === "string") {
    const points = Array.from(chars(owner));
    return like(owner, indices(points.length, start, stop, step).map((at) => points[at]).join(""));
  }
  if (!Array.isArray(owner)) {
    if (owner instanceof Thing) return owner.$item?.([start, stop, step]) ?? unsliceable();
    return unsliceable();
  }
  const kind = owner.constructor as ArrayConstructor;
  return kind.from(indices(owner.length, start, stop, step), (at) => owner[at]);
}

function unsliceable(): never {
  throw new TypeError("it cannot be sliced");
}
