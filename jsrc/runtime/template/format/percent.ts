/** Implements Python's `%` formatting of strings. */

import { Markup, chars, html, like } from "../markup";
import { repr, str } from "../text";
import { Tuple, isInteger, isPlain } from "../thing";
import { entries } from "../mapping";
import { fixed, general, pad, scientific } from "./numbers";

const DIRECTIVE = /%(?:\(([^)]*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?[hlL]?([\s\S])?/g;

function integer(value: unknown): number {
  if (typeof value === "boolean" || typeof value === "number") {
    if (!Number.isFinite(Number(value))) throw new RangeError("it is not finite");
    return Math.trunc(Number(value)) + 0;
  }
  throw new TypeError("a number is required");
}

function real(value: unknown): number {
  if (typeof value === "boolean" || typeof value === "number") return Number(value);
  const text = typeof value === "string" ? value.trim() : "";
  if (text && Number.isFinite(Number(text))) throw new TypeError("must be a number, not a string");
  throw new TypeError("must be a number");
}

function whole(value: number, radix: number): string {
  return BigInt(value).toString(radix);
}

function character(value: unknown): string {
  if (typeof value === "number" && Number.isInteger(value)) return String.fromCodePoint(value);
  if (typeof value === "string" && Array.from(value).length === 1) return value;
  throw new TypeError("%c requires an integer or a character");
}

interface Directive {
  flags: string;
  width: number;
  precision: number | null;
  letter: string;
}

function formatted(value: unknown, { flags, precision, letter }: Directive, text: (value: unknown) => string): [string, boolean] {
  const alternate = flags.includes("#");
  const digits = (out: string): string => {
    const sign = out[0] === "-" ? "-" : "";
    return sign + out.slice(sign.length).padStart(precision ?? 0, "0");
  };
  const prefixed = (out: string, prefix: string): string =>
    alternate ? (out[0] === "-" ? `-${prefix}${out.slice(1)}` : prefix + out) : out;
  switch (letter) {
    case "s":
    case "r":
    case "a": {
      const out = letter === "s" ? text(value) : repr(value);
      return [precision === null ? out : Array.from(out).slice(0, precision).join(""), false];
    }
    case "c":
      return [character(value), false];
    case "d":
    case "i":
    case "u":
      return [digits(whole(integer(value), 10)), true];
    case "x":
    case "X": {
      if (typeof value === "number" && !isInteger(value)) throw new TypeError("%x format: an integer is required");
      const out = prefixed(digits(whole(integer(value), 16)), "0x");
      return [letter === "X" ? out.toUpperCase() : out, true];
    }
    case "o":
      if (typeof value === "number" && !isInteger(value)) throw new TypeError("%o format: an integer is required");
      return [prefixed(digits(whole(integer(value), 8)), "0o"), true];
    case "f":
    case "F":
      return [fixed(real(value), precision ?? 6), true];
    case "e":
    case "E": {
      const out = scientific(real(value), precision ?? 6);
      return [letter === "E" ? out.toUpperCase() : out, true];
    }
    case "g":
    case "G": {
      const out = general(real(value), precision ?? 6, alternate);
      return [letter === "G" ? out.toUpperCase() : out, true];
    }
    default:
      throw new TypeError("unsupported format character");
  }
}

/**
 * Implements Python's `format % args`. A tuple has the values in order, a mapping has them by name. Any other `args` is
 * the only value.
 */
export function percent(format: unknown, args: unknown): unknown {
  const source = chars(format as string | Markup);
  const text = format instanceof Markup ? html : str;
  const values = args instanceof Tuple ? args : [args];
  const named = args instanceof Tuple || typeof args === "string" ? undefined : entries(args);
  let used = 0;
  let byName = false;
  const next = (): unknown => {
    if (used >= values.length) throw new TypeError("not enough arguments for format string");
    return values[used++];
  };
  const out = source.replace(DIRECTIVE, (_all, name, flags: string, width, precision, letter) => {
    if (letter === undefined) throw new TypeError("incomplete format");
    if (letter === "%") return "%";
    if (name !== undefined) {
      if (!named) throw new TypeError("format requires a mapping");
      byName = true;
    }
    let size = width === "*" ? integer(next()) : Number(width ?? 0);
    const left = flags.includes("-") || size < 0;
    size = Math.abs(size);
    const exact = /\./.test(_all.slice(0, -1)) ? (precision === "*" ? integer(next()) : Number(precision ?? 0)) : null;
    const value = name === undefined ? next() : lookUp(named as [unknown, unknown][], name);
    const directive = { flags, width: size, precision: exact, letter };
    const [body, numeric] = formatted(value, directive, text);
    const signed = numeric && body[0] !== "-" ? (flags.includes("+") ? "+" : flags.includes(" ") ? " " : "") + body : body;
    return pad(signed, size, left ? "<" : numeric && flags.includes("0") && Number.isFinite(Number(value)) ? "=" : ">", flags.includes("0") && !left && numeric ? "0" : " ");
  });
  if (!byName && used < values.length && !(args === undefined || isPlain(args) || (!(args instanceof Tuple) && Array.isArray(args)) || named)) {
    throw new TypeError("not all arguments converted during string formatting");
  }
  return like(format, out);
}

function lookUp(pairs: [unknown, unknown][], name: string): unknown {
  const pair = pairs.find(([key]) => key === name);
  if (!pair) throw new TypeError(`no value for ${name}`);
  return pair[1];
}
