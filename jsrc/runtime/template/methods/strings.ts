/** Implements Python's string methods. Markup stays Markup, and text inserted into it is escaped (markupsafe.Markup). */

import { eq } from "../compare";
import { iterate } from "../iterate";
import { Markup, chars, html, isText, like } from "../markup";
import { integer, Tuple, tuple } from "../thing";
import { pad } from "../format/numbers";
import { text } from "./case";

type Text = string | Markup;

/** Return the characters of a string argument. Throws for another type. */
function plain(value: unknown): string {
  if (isText(value)) return chars(value);
  throw new TypeError("a string is needed");
}

/** Return the text to insert into a string. It is escaped if the string is Markup. */
const fitting = (owner: Text, value: unknown): string =>
  owner instanceof Markup ? html(value) : plain(value);

/** The white space of Python's str.isspace and strip(), for a regular expression. */
export const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

function stripped(owner: unknown, set: unknown, start: boolean, end: boolean): Text {
  const value = text(owner);
  const points = Array.from(chars(value));
  const wanted = set === null ? new RegExp(`^[${SPACE}]$`) : null;
  const members = wanted ? [] : Array.from(plain(set));
  const drop = (point: string): boolean => (wanted ? wanted.test(point) : members.includes(point));
  let from = 0;
  let to = points.length;
  while (start && from < to && drop(points[from] as string)) from++;
  while (end && to > from && drop(points[to - 1] as string)) to--;
  return like(value, points.slice(from, to).join(""));
}

export const method_strip = (owner: unknown, set: unknown = null): Text => stripped(owner, set, true, true);
export const method_lstrip = (owner: unknown, set: unknown): Text => stripped(owner, set, true, false);
export const method_rstrip = (owner: unknown, set: unknown): Text => stripped(owner, set, false, true);

export function replaced(value: string, old: string, by: string, count: number): string {
  if (count < 0) return old === "" ? Array.from(value, (point) => by + point).join("") + by : value.split(old).join(by);
  const parts = old === "" ? ["", ...Array.from(value)] : value.split(old);
  let out = parts[0] as string;
  for (let at = 1; at < parts.length; at++) out += (at <= count ? by : old) + parts[at];
  return old === "" && count >= parts.length ? out + by : out;
}

export function method_replace(owner: unknown, old: unknown, by: unknown, count: unknown): Text {
  const value = text(owner);
  return like(value, replaced(chars(value), plain(old), fitting(value, by), integer(count)));
}

/**
 * Return the code points of the searched range, and its start. Both ends are clamped as in Python, but a start beyond
 * the end stays, because Python finds nothing from there, not even "".
 */
function within(value: string, start: unknown, end: unknown): [string[], number] {
  const points = Array.from(value);
  const at = (bound: unknown, otherwise: number): number => {
    if (bound === null) return otherwise;
    const index = integer(bound);
    return Math.max(index < 0 ? index + points.length : index, 0);
  };
  const from = at(start, 0);
  return [from > points.length ? ["\0\0"] : points.slice(from, at(end, points.length)), from];
}

function affix(owner: unknown, wanted: unknown, start: unknown, end: unknown, test: "startsWith" | "endsWith"): boolean {
  const [points, from] = within(chars(text(owner)), start, end);
  const beyond = from > Array.from(chars(text(owner))).length;
  const options = wanted instanceof Tuple ? Array.from(wanted, plain) : [plain(wanted)];
  return !beyond && options.some((option) => points.join("")[test](option));
}

export const method_startswith = (owner: unknown, wanted: unknown, start: unknown, end: unknown): boolean =>
  affix(owner, wanted, start, end, "startsWith");
export const method_endswith = (owner: unknown, wanted: unknown, start: unknown, end: unknown): boolean =>
  affix(owner, wanted, start, end, "endsWith");

function search(owner: unknown, wanted: unknown, start: unknown, end: unknown, last: boolean): number {
  const value = chars(text(owner));
  const [points, from] = within(value, start, end);
  if (from > Array.from(value).length) return -1;
  const part = points.join("");
  const at = last ? part.lastIndexOf(plain(wanted)) : part.indexOf(plain(wanted));
  return at < 0 ? -1 : from + Array.from(part.slice(0, at)).length;
}

export const method_find = (owner: unknown, wanted: unknown, start: unknown, end: unknown): number =>
  search(owner, wanted, start, end, false);
export const method_rfind = (owner: unknown, wanted: unknown, start: unknown, end: unknown): number =>
  search(owner, wanted, start, end, true);

/** Implements Python's `count` of strings, lists and tuples. */
export function method_count(owner: unknown, value: unknown): number {
  if (Array.isArray(owner)) return owner.filter((item) => eq(item, value)).length;
  const wanted = plain(value);
  const whole = chars(text(owner));
  return wanted === "" ? Array.from(whole).length + 1 : whole.split(wanted).length - 1;
}

export function method_index(owner: unknown, value: unknown): number {
  const at = Array.isArray(owner) ? owner.findIndex((item) => eq(item, value)) : search(owner, value, null, null, false);
  if (at < 0) throw new RangeError("it is not in there");
  return at;
}

/** Split at white space, at most `most` times. The unsplit rest keeps its white space, except at the last cut. */
function words(value: string, most: number, fromRight: boolean): string[] {
  const strip = (text: string): string => chars((fromRight ? method_rstrip : method_lstrip)(text, null));
  const word = new RegExp(fromRight ? `[^${SPACE}]+$` : `^[^${SPACE}]+`);
  const out: string[] = [];
  let rest = strip(value);
  for (let count = 0; rest && count !== most; count++) {
    const next = (word.exec(rest) as RegExpExecArray)[0];
    out.push(next);
    rest = strip(fromRight ? rest.slice(0, -next.length) : rest.slice(next.length));
  }
  if (rest) out.push(rest);
  return fromRight ? out.reverse() : out;
}

function parts(value: string, separator: string, most: number, fromRight: boolean): string[] {
  if (separator === "") throw new RangeError("empty separator");
  const all = value.split(separator);
  if (most < 0 || all.length <= most + 1) return all;
  if (fromRight) return [all.slice(0, all.length - most).join(separator), ...all.slice(all.length - most)];
  return [...all.slice(0, most), all.slice(most).join(separator)];
}

function split(owner: unknown, separator: unknown, maxsplit: unknown, fromRight: boolean): unknown[] {
  const value = text(owner);
  const most = integer(maxsplit);
  const out =
    separator === null ? words(chars(value), most, fromRight) : parts(chars(value), plain(separator), most, fromRight);
  return out.map((part) => like(value, part));
}

export const method_split = (owner: unknown, separator: unknown, maxsplit: unknown): unknown[] =>
  split(owner, separator, maxsplit, false);
export const method_rsplit = (owner: unknown, separator: unknown, maxsplit: unknown): unknown[] =>
  split(owner, separator, maxsplit, true);

const LINE = /\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/;

/** Implements Python's splitlines: a final line break does not add an empty line. */
export function lines(value: string, keep = false): string[] {
  const out: string[] = [];
  let rest = value;
  while (rest !== "") {
    const end = LINE.exec(rest);
    if (!end) return [...out, rest];
    out.push(rest.slice(0, end.index) + (keep ? end[0] : ""));
    rest = rest.slice(end.index + end[0].length);
  }
  return out;
}

export const method_splitlines = (owner: unknown, keep: unknown): unknown[] =>
  lines(chars(text(owner)), !!integer(keep)).map((line) => like(owner, line));

export function method_join(owner: unknown, iterable: unknown): Text {
  const value = text(owner);
  const items = iterate(iterable);
  if (value instanceof Markup) return new Markup(items.map(html).join(value.$));
  return items.map(plain).join(value);
}

function padded(owner: unknown, width: unknown, fill: unknown, align: string): Text {
  const value = text(owner);
  const filler = fitting(value, fill);
  if (Array.from(filler).length !== 1) throw new TypeError("the fill character must be exactly one character long");
  return like(value, pad(chars(value), integer(width), align, filler));
}

export const method_ljust = (owner: unknown, width: unknown, fill: unknown): Text => padded(owner, width, fill, "<");
export const method_rjust = (owner: unknown, width: unknown, fill: unknown): Text => padded(owner, width, fill, ">");

/** Centre a text like Python: with an odd rest the extra space is on the left if the width is odd, else on the right. */
export function centred(value: string, width: number, fill: string): string {
  const missing = width - Array.from(value).length;
  if (missing <= 0) return value;
  const left = Math.floor(missing / 2) + (missing & width & 1);
  return fill.repeat(left) + value + fill.repeat(missing - left);
}

export function method_center(owner: unknown, width: unknown, fill: unknown): Text {
  const value = text(owner);
  const filler = fitting(value, fill);
  if (Array.from(filler).length !== 1) throw new TypeError("the fill character must be exactly one character long");
  return like(value, centred(chars(value), integer(width), filler));
}

export const method_zfill = (owner: unknown, width: unknown): Text => {
  const value = text(owner);
  const whole = chars(value);
  const sign = /^[-+]/.test(whole) ? whole[0] : "";
  const missing = integer(width) - Array.from(whole).length;
  return like(value, missing > 0 ? sign + "0".repeat(missing) + whole.slice((sign as string).length) : whole);
};

function partitioned(owner: unknown, separator: unknown, last: boolean): Tuple {
  const value = text(owner);
  const whole = chars(value);
  const by = plain(separator);
  if (by === "") throw new RangeError("empty separator");
  const at = last ? whole.lastIndexOf(by) : whole.indexOf(by);
  const cut = at < 0 ? (last ? ["", "", whole] : [whole, "", ""]) : [whole.slice(0, at), by, whole.slice(at + by.length)];
  return tuple(...cut.map((part) => like(value, part)));
}

export const method_partition = (owner: unknown, separator: unknown): Tuple => partitioned(owner, separator, false);
export const method_rpartition = (owner: unknown, separator: unknown): Tuple => partitioned(owner, separator, true);

export const method_removeprefix = (owner: unknown, prefix: unknown): Text => {
  const [whole, by] = [chars(text(owner)), plain(prefix)];
  return like(owner, whole.startsWith(by) ? whole.slice(by.length) : whole);
};
export const method_removesuffix = (owner: unknown, suffix: unknown): Text => {
  const [whole, by] = [chars(text(owner)), plain(suffix)];
  return like(owner, by && whole.endsWith(by) ? whole.slice(0, -by.length) : whole);
};

const every = (pattern: RegExp) => (owner: unknown): boolean => pattern.test(chars(text(owner)));
export const method_isalpha = /* @__PURE__ */ every(/^\p{L}+$/u);
export const method_isdigit = /* @__PURE__ */ every(/^[\p{Nd}²³¹⁰⁴-⁹₀-₉]+$/u);
export const method_isnumeric = /* @__PURE__ */ every(/^\p{N}+$/u);
export const method_isalnum = /* @__PURE__ */ every(/^[\p{L}\p{N}]+$/u);
export const method_isspace = /* @__PURE__ */ every(/* @__PURE__ */ new RegExp(`^[${SPACE}]+$`));
