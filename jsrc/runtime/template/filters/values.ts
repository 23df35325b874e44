/** Filters of single values and numbers. */

import { chars, isText } from "../markup";
import { fixed, rounded } from "../format/numbers";
import { iterate } from "../iterate";
import { Thing, fail, isInteger } from "../thing";
import { truth } from "../truth";
import { div } from "../arithmetic";

export const filter_default = (value: unknown, otherwise: unknown, boolean?: unknown): unknown =>
  value === undefined || (truth(boolean) && !truth(value)) ? otherwise : value;

export const filter_length = (value: unknown): number =>
  value instanceof Thing ? (value.$length?.() ?? fail("it has no length")) : iterate(value).length;

function number(value: unknown): number {
  if (typeof value === "number" || typeof value === "boolean") return Number(value);
  throw new TypeError("a number is needed");
}

export const filter_abs = (value: unknown): number => Math.abs(number(value));

export function filter_round(value: unknown, precision: unknown, method: unknown): number {
  const by = number(precision);
  const x = number(value);
  if (!Number.isInteger(by)) throw new TypeError("precision must be an integer");
  if (method === "common") {
    if (!Number.isFinite(x)) return x;
    return rounded(x, by);
  }
  if (method !== "ceil" && method !== "floor") throw new TypeError("method must be common, ceil or floor");
  if (isInteger(x) && by >= 0) return x;
  const unit = 10 ** Math.abs(by);
  const scaled = by < 0 ? x * (1 / unit) : x * unit;
  const whole = Math[method](by < 0 ? x * Number(`1e${by}`) : scaled);
  if (!Number.isFinite(whole)) throw new RangeError("it is not finite");
  return by < 0 ? div(whole, Number(`1e${by}`)) : whole / unit;
}

const FLOAT = /^[+-]?(\d+(_\d+)*\.?(\d+(_\d+)*)?|\.\d+(_\d+)*)(e[+-]?\d+(_\d+)*)?$/i;

/**
 * Replace the decimal digits of other writing systems by ASCII digits, as Python reads them. Each system has a block of
 * ten digits.
 */
const ascii = (text: string): string =>
  text.replace(/(?![0-9])\p{Nd}/gu, (character) => {
    const code = character.codePointAt(0) as number;
    if (code >= 0x1d7ce && code <= 0x1d7ff) return String((code - 0x1d7ce) % 10);
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return String(code - zero);
  });

/** Implements Python's float(text). Null stands for a ValueError. */
function parsedFloat(text: string): number | null {
  const bare = ascii(text).trim();
  if (FLOAT.test(bare)) return Number(bare.replace(/_/g, ""));
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(bare);
  if (!word) return null;
  return /nan/i.test(word[2] as string) ? NaN : word[1] === "-" ? -Infinity : Infinity;
}

export function filter_float(value: unknown, otherwise: unknown): unknown {
  if (typeof value === "number" || typeof value === "boolean") return Number(value);
  if (value === undefined) throw new TypeError("undefined is no number");
  return (isText(value) ? parsedFloat(chars(value)) : null) ?? otherwise;
}

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Implements Python's int(text, base). Null stands for a ValueError. */
function parsedInt(text: string, base: number): number | null {
  if (base !== 0 && (base < 2 || base > 36)) return null;
  const match = /^([+-]?)(?:(0[box])_?)?([0-9a-z]+(?:_[0-9a-z]+)*)$/i.exec(ascii(text).trim());
  if (!match) return null;
  const prefix = (match[2] ?? "").toLowerCase();
  const radix = { "0b": 2, "0o": 8, "0x": 16 }[prefix] ?? 10;
  let digits = (match[3] as string).replace(/_/g, "").toLowerCase();
  if (prefix && base !== 0 && base !== radix) {
    digits = prefix + digits;
    return whole(digits, base, match[1] === "-");
  }
  if (base === 0 && !prefix && /^0+[1-9]/.test(digits)) return null;
  return whole(digits, base || radix, match[1] === "-");
}

function whole(digits: string, radix: number, negative: boolean): number | null {
  let out = 0n;
  for (const character of digits) {
    const digit = DIGITS.indexOf(character);
    if (digit < 0 || digit >= radix) return null;
    out = out * BigInt(radix) + BigInt(digit);
  }
  const value = Number(negative ? -out : out);
  if (!Number.isFinite(value)) throw new RangeError("the number is too large");
  return value + 0;
}

export function filter_int(value: unknown, otherwise: unknown, base: unknown): unknown {
  if (value === undefined) throw new TypeError("undefined is no number");
  if (isText(value)) {
    const integer = typeof base === "boolean" || isInteger(base) ? parsedInt(chars(value), Number(base)) : null;
    if (integer !== null) return integer;
    const float = parsedFloat(chars(value));
    return float !== null && Number.isFinite(float) ? Math.trunc(float) + 0 : otherwise;
  }
  if (typeof value !== "number" && typeof value !== "boolean") return otherwise;
  if (Number.isFinite(Number(value))) return Math.trunc(Number(value)) + 0;
  if (value !== value) return otherwise;
  throw new RangeError("cannot convert infinity to an integer");
}

const DECIMAL = ["kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];
const BINARY = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"];

export function filter_filesizeformat(value: unknown, binary: unknown): string {
  const bytes = isText(value) ? parsedFloat(chars(value)) : number(value);
  if (bytes === null) throw new TypeError("could not convert string to float");
  const base = truth(binary) ? 1024 : 1000;
  if (bytes === 1) return "1 Byte";
  if (bytes < base) return `${BigInt(Math.trunc(bytes))} Bytes`;
  const prefixes = truth(binary) ? BINARY : DECIMAL;
  let unit = base;
  for (const prefix of prefixes) {
    unit *= base;
    if (bytes < unit) return `${fixed((base * bytes) / unit, 1)} ${prefix}`;
  }
  return `${fixed((base * bytes) / unit, 1)} ${prefixes[7]}`;
}

