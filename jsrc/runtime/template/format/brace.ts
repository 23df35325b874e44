/** Implements Python's `str.format`: fields, conversions, and the format specification of strings and numbers. */

import { item } from "../access";
import { Markup, chars, html, isText, like } from "../markup";
import { repr, str } from "../text";
import { isInteger, isPlain } from "../thing";
import { fixed, general, pad, precise, scientific } from "./numbers";

const SPEC = /^(?:([\s\S])?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([_,])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$/u;

interface Spec {
  fill: string;
  align: string;
  sign: string;
  alternate: boolean;
  width: number;
  group: string;
  precision: number | null;
  letter: string;
}

function parsed(text: string): Spec {
  const match = SPEC.exec(text);
  if (!match) throw new TypeError("invalid format specifier");
  const [, fill, align, sign, , alternate, zero, width, group, precision, letter] = match;
  return {
    fill: fill ?? (zero ? "0" : " "),
    align: align ?? (zero ? "=" : ""),
    sign: sign ?? "-",
    alternate: !!alternate,
    width: Number(width ?? 0),
    group: group ?? "",
    precision: precision === undefined ? null : Number(precision),
    letter: letter ?? "",
  };
}

function grouped(digits: string, separator: string, every: number): string {
  if (!separator) return digits;
  const [whole, rest] = [/^[0-9a-fA-F]+/.exec(digits)?.[0] ?? "", digits.replace(/^[0-9a-fA-F]+/, "")];
  return whole.replace(new RegExp(`\\B(?=([0-9a-fA-F]{${every}})+$)`, "g"), separator) + rest;
}

function signed(negative: boolean, sign: string): string {
  return negative ? "-" : sign === "-" ? "" : sign;
}

/** Return the digits of a number without its sign. */
function digits(value: number, spec: Spec): string {
  const { letter, precision } = spec;
  const radix = { b: 2, o: 8, x: 16, X: 16 }[letter];
  if (radix || letter === "d" || letter === "c" || (letter === "n" && isInteger(value))) {
    if (!isInteger(value)) throw new TypeError(`unknown format code '${letter}' for a float`);
    if (precision !== null) throw new TypeError("precision not allowed in integer format specifier");
    if (letter === "c") return String.fromCodePoint(value);
    const out = BigInt(value).toString(radix ?? 10);
    const prefix = spec.alternate && radix ? `0${letter}` : "";
    return prefix + grouped(letter === "X" ? out.toUpperCase() : out, spec.group, radix ? 4 : 3);
  }
  return grouped(floating(value, letter, precision, spec.alternate), spec.group, 3);
}

function floating(value: number, letter: string, precision: number | null, alternate: boolean): string {
  switch (letter) {
    case "f":
    case "F":
      return fixed(value, precision ?? 6);
    case "%":
      return `${fixed(value * 100, precision ?? 6)}%`;
    case "e":
      return scientific(value, precision ?? 6);
    case "E":
      return scientific(value, precision ?? 6).toUpperCase();
    case "g":
    case "n":
      return general(value, precision ?? 6, alternate);
    case "G":
      return general(value, precision ?? 6, alternate).toUpperCase();
    default:
      if (precision === null) return str(value);
      if (isInteger(value)) throw new TypeError("precision not allowed in integer format specifier");
      return precise(value, precision);
  }
}

function formatNumber(value: number, spec: Spec): string {
  if (spec.letter === "s") throw new TypeError("unknown format code 's' for a number");
  const size = digits(Math.abs(value), spec);
  const isZero = /[fF%]/.test(spec.letter) && !/[1-9]/.test(size) && Number.isFinite(value);
  const body = signed(value < 0 && !isZero, spec.sign) + size;
  if (spec.group && spec.align === "=" && spec.fill === "0") return zeroGrouped(body, spec);
  return pad(body, spec.width, spec.align || ">", spec.fill);
}

/** Pad a number with zeros and group them together with its digits, as `{:010,}` does. */
function zeroGrouped(body: string, spec: Spec): string {
  const sign = /^[-+ ]/.exec(body)?.[0] ?? "";
  let [whole = "", ...tail] = body.slice(sign.length).split(/(?=[.e%])/);
  const after = tail.join("");
  let bare = whole.split(spec.group).join("");
  while ((sign + grouped(bare, spec.group, 3) + after).length < spec.width) bare = `0${bare}`;
  whole = grouped(bare, spec.group, 3);
  return sign + whole + after;
}

function formatText(value: string, spec: Spec): string {
  if (!["", "s"].includes(spec.letter) || spec.group || spec.alternate || spec.sign !== "-") throw new TypeError("invalid format for a string");
  if (spec.align === "=") {
    if (spec.fill !== "0") throw new TypeError("'=' alignment not allowed in string format specifier");
    spec = { ...spec, align: "<" };
  }
  const cut = spec.precision === null ? value : Array.from(value).slice(0, spec.precision).join("");
  return pad(cut, spec.width, spec.align || "<", spec.fill);
}

/** Implements Python's `format(value, spec)` for strings, numbers and booleans; other values only without `spec`. */
export function formatValue(value: unknown, text: string): string {
  const whole = str(value);
  if (text === "") return whole;
  if (typeof value === "number" || typeof value === "boolean") return formatNumber(Number(value), parsed(text));
  if (isText(value)) return formatText(chars(value), parsed(text));
  throw new TypeError("unsupported format string");
}

/** Implements Python's `text.format(*args, **keywords)`. */
export function method_format(owner: unknown, args: unknown[], keywords: Record<string, unknown>): unknown {
  if (!isText(owner)) throw new TypeError("it has no method format");
  let automatic = 0;
  const escape = owner instanceof Markup;

  const lookUp = (name: string): unknown => {
    const first = /^[^.[]*/.exec(name)?.[0] ?? "";
    let value = base(first);
    const path = name.slice(first.length);
    for (const [, attribute, key] of path.matchAll(/\.([^.[]+)|\[([^\]]*)\]/g)) {
      value = attribute !== undefined ? strictField(value, attribute) : strictItem(value, key as string);
    }
    if (path.replace(/\.([^.[]+)|\[([^\]]*)\]/g, "") !== "") throw new TypeError("invalid field name");
    return value;
  };
  const base = (first: string): unknown => {
    if (first === "" || /^\d+$/.test(first)) {
      if ((first === "") !== automatic >= 0 && automatic !== 0) throw new TypeError("automatic and manual numbering are mixed");
      const at = first === "" ? automatic++ : Number(first);
      if (first !== "") automatic = -1;
      if (at >= args.length) throw new RangeError("replacement index out of range");
      return args[at];
    }
    if (!Object.prototype.hasOwnProperty.call(keywords, first)) throw new RangeError(`no value for ${first}`);
    return keywords[first];
  };

  const render = (source: string, depth: number): string => {
    if (depth > 2) throw new RangeError("fields are nested too deeply");
    let out = "";
    for (let at = 0; at < source.length; at++) {
      const character = source[at] as string;
      if (character !== "{" && character !== "}") {
        out += character;
      } else if (source[at + 1] === character) {
        out += character;
        at++;
      } else if (character === "}") {
        throw new TypeError("single '}' encountered in format string");
      } else {
        const end = closing(source, at);
        out += replaced(source.slice(at + 1, end), depth);
        at = end;
      }
    }
    return out;
  };
  const replaced = (inside: string, depth: number): string => {
    const [, name = "", conversion, spec = ""] = /^([^!:]*)(?:!([a-z]))?(?::([\s\S]*))?$/.exec(inside) ?? wrong();
    let value = lookUp(name);
    const specification = render(spec, depth + 1);
    if (conversion === "r") value = repr(value);
    else if (conversion === "s") value = str(value);
    else if (conversion) throw new TypeError("unknown conversion");
    if (value instanceof Markup && escape) {
      if (specification) throw new TypeError("Markup takes no format specification");
      return value.$;
    }
    const text = formatValue(value, specification);
    return escape ? html(text) : text;
  };
  return like(owner, render(chars(owner), 0));
}

function wrong(): never {
  throw new TypeError("invalid replacement field");
}

function closing(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    if (source[at] === "{") depth++;
    else if (source[at] === "}" && !--depth) return at;
  }
  throw new TypeError("expected '}' before end of string");
}

function strictField(value: unknown, name: string): unknown {
  if (value === undefined) return undefined;
  throw new TypeError(`a value has no attribute ${name}`);
}

function strictItem(value: unknown, key: string): unknown {
  const element = item(value, /^\d+$/.test(key) && Array.isArray(value) ? Number(key) : key);
  const exists = (isPlain(value) || Array.isArray(value)) && Object.prototype.hasOwnProperty.call(value, key);
  if (element === undefined && value !== undefined && !exists) throw new RangeError(`there is no ${key}`);
  return element;
}
