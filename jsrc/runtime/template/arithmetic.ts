/**
 * Implements Python's operators on doubles, strings and lists. An operator throws for operands that it does not
 * support.
 */

import { Markup, html, isText } from "./markup";
import { percent } from "./format/percent";
import { Tuple, isInteger } from "./thing";

const isNumber = (value: unknown): value is number => typeof value === "number" || typeof value === "boolean";

function unsupported(sign: string): never {
  throw new TypeError(`unsupported operands for ${sign}`);
}

/** Return both operands as numbers; True is 1. Throws for other types. */
function numbers(a: unknown, b: unknown, sign: string): [number, number] {
  return isNumber(a) && isNumber(b) ? [Number(a), Number(b)] : unsupported(sign);
}

export function add(a: unknown, b: unknown): unknown {
  if (typeof a === "string" && typeof b === "string") return a + b;
  if (a instanceof Markup && b === undefined) return a;
  if (isText(a) && isText(b)) return new Markup(html(a) + html(b));
  if (Array.isArray(a) && Array.isArray(b) && a instanceof Tuple === b instanceof Tuple) return a.concat(b);
  const [x, y] = numbers(a, b, "+");
  return x + y;
}

export function sub(a: unknown, b: unknown): number {
  const [x, y] = numbers(a, b, "-");
  return x - y;
}

const LONGEST = 1e7;

function repeated(what: unknown, times: unknown): unknown {
  if (!isNumber(times) || !isInteger(Number(times))) return unsupported("*");
  const count = Math.max(0, Number(times));
  if (Array.isArray(what)) {
    const kind = what.constructor as ArrayConstructor;
    return kind.from({ length: what.length * count }, (_, at) => what[at % what.length]);
  }
  const text = what instanceof Markup ? what.$ : (what as string);
  if (text.length * count > LONGEST) throw new RangeError("the text would be too long");
  return what instanceof Markup ? new Markup(text.repeat(count)) : text.repeat(count);
}

const isSequence = (value: unknown): boolean => isText(value) || Array.isArray(value);

export function mul(a: unknown, b: unknown): unknown {
  if (isSequence(a)) return repeated(a, b);
  if (isSequence(b)) return repeated(b, a);
  const [x, y] = numbers(a, b, "*");
  return x * y;
}

function nonzero(value: number): number {
  if (!value) throw new RangeError("division by zero");
  return value;
}

export function div(a: unknown, b: unknown): number {
  const [x, y] = numbers(a, b, "/");
  return x / nonzero(y);
}

/** Return the remainder with the divisor's sign, like CPython's float_rem. */
export function modulo(x: number, y: number): number {
  const rest = x % nonzero(y);
  return rest && rest < 0 !== y < 0 ? rest + y : rest;
}

export function mod(a: unknown, b: unknown): unknown {
  if (isText(a)) return percent(a, b);
  const [x, y] = numbers(a, b, "%");
  return modulo(x, y);
}

/**
 * Divide and round down. Exact for integers, also between 2 ** 53 and 1e16; otherwise like CPython's float_floor_div.
 */
export function floordiv(a: unknown, b: unknown): number {
  const [x, y] = numbers(a, b, "//");
  const rest = x % nonzero(y);
  if (isInteger(x) && isInteger(y)) return Number(BigInt(x) / BigInt(y)) - (rest && rest < 0 !== y < 0 ? 1 : 0);
  const whole = (x - rest) / y - (rest && rest < 0 !== y < 0 ? 1 : 0);
  const floor = Math.floor(whole);
  return whole - floor > 0.5 ? floor + 1 : floor;
}

/**
 * Raise to a power. An integer below 1e16 to an integer power of 0 or more is computed exactly and rounded once;
 * JavaScript computes any other power. Throws RangeError for a complex result, one that is too large, and zero to a
 * negative power.
 */
export function power(x: number, y: number): number {
  if (Number.isInteger(x) && Number.isInteger(y) && y >= 0 && Math.abs(x) < 1e16) {
    if (y * Math.log2(Math.abs(x) || 1) > 1025) throw new RangeError("the power is too large");
    const exact = Number(BigInt(x) ** BigInt(y));
    if (!Number.isFinite(exact)) throw new RangeError("the power is too large");
    return exact;
  }
  if (!x && y < 0) throw new RangeError("zero cannot be raised to a negative power");
  if (x < 0 && !Number.isInteger(y)) throw new RangeError("the power is a complex number");
  const out = y === 0.5 ? Math.sqrt(x) : x ** y;
  if (!Number.isFinite(out) && Number.isFinite(x) && Number.isFinite(y)) throw new RangeError("the power is too large");
  return out;
}

export function pow(a: unknown, b: unknown): number {
  const [x, y] = numbers(a, b, "**");
  return power(x, y);
}

export const neg = (value: unknown): number => (isNumber(value) ? -Number(value) : unsupported("-"));
export const pos = (value: unknown): number => (isNumber(value) ? Number(value) : unsupported("+"));
