/**
 * Filters of texts (jinja2.filters). They convert any value to text. Markup stays Markup in the same cases as in
 * Jinja2.
 */

import { PREFIX } from "../../escape/text";
import { Markup, chars, html, isText, like } from "../markup";
import { capitalized } from "../methods/case";
import { SPACE, centred, lines, method_strip, replaced } from "../methods/strings";
import { percent } from "../format/percent";
import { str } from "../text";
import { filter_length } from "./values";

import { integer } from "../thing";
import { unescaped } from "./references";

type Text = string | Markup;

/** Return the text of any value, with Markup unchanged, like markupsafe's soft_str. */
export const soft = (value: unknown): Text => (isText(value) ? value : str(value));

const mapped = (change: (text: string) => string) => (value: unknown): Text => {
  const text = soft(value);
  return like(text, change(chars(text)));
};

export const filter_upper = /* @__PURE__ */ mapped((text) => text.toUpperCase());
export const filter_lower = /* @__PURE__ */ mapped((text) => text.toLowerCase());
export const filter_capitalize = /* @__PURE__ */ mapped(capitalized);

/**
 * Implements Jinja2's `title`. A word begins only after white space, a dash or an opening bracket; in Python's
 * `str.title`, also after other characters.
 */
export const filter_title = (value: unknown): string =>
  chars(soft(value))
    .split(new RegExp(`([-({\\[<${SPACE}]+)`))
    .map((part) => {
      const [first = "", ...rest] = Array.from(part);
      return first.toUpperCase() + rest.join("").toLowerCase();
    })
    .join("");

export const filter_trim = (value: unknown, set: unknown): Text => method_strip(soft(value), set);

export const filter_center = (value: unknown, width: unknown): Text => {
  const text = soft(value);
  return like(text, centred(chars(text), integer(width), " "));
};

export function filter_replace(value: unknown, old: unknown, by: unknown, count: unknown): Text {
  const escaped = isMarkup(old) || (isMarkup(by) && !isMarkup(value));
  const text = escaped ? new Markup(html(value)) : soft(value);
  const inserted = text instanceof Markup ? html(by) : chars(soft(by));
  return like(text, replaced(chars(text), chars(soft(old)), inserted, count === null ? -1 : integer(count)));
}

/** Whether a value has `__html__` in Python. Markup and undefined values have it. */
const isMarkup = (value: unknown): boolean => value instanceof Markup || value === undefined;

export const filter_escape = (value: unknown): Markup => (value instanceof Markup ? value : new Markup(html(value)));
export const filter_forceescape = (value: unknown): Markup => new Markup(html(str(value)));

/** Mark HTML as safe. In it, `{` is escaped before the prefix of the service's placeholders. */
export const filter_safe = (value: unknown): Markup =>
  value instanceof Markup ? value : new Markup(str(value).split(`{${PREFIX}`).join(`&#123;${PREFIX}`));

export const filter_string = soft;
export const filter_format = (value: unknown, args: unknown): unknown => percent(soft(value), args);

export function filter_truncate(
  value: unknown, length: unknown, killwords: unknown, end: unknown, leeway: unknown,
): unknown {
  const most = integer(length);
  const spare = most - filter_length(end);
  const tolerance = leeway === null ? 5 : integer(leeway);
  if (spare < 0 || tolerance < 0) throw new RangeError("the length is shorter than the end");
  if (filter_length(value) <= most + tolerance) return value;
  const [text, tail] = [textual(value), chars(textual(end))];
  const points = Array.from(chars(text));
  let cut = points.slice(0, spare).join("");
  if (!truthy(killwords) && cut.includes(" ")) cut = cut.slice(0, cut.lastIndexOf(" "));
  if (text instanceof Markup || isMarkup(end)) return new Markup(html(like(text, cut)) + html(end));
  return cut + tail;
}

const truthy = (value: unknown): boolean => !!value;

export function textual(value: unknown): Text {
  if (isText(value)) return value;
  throw new TypeError("a string is needed");
}

export function filter_indent(value: unknown, width: unknown, first: unknown, blank: unknown): Text {
  const text = textual(value);
  const indentation = isText(width) ? like(text, chars(width)) : like(text, " ".repeat(integer(width)));
  const by = chars(indentation);
  const all = lines(`${chars(text)}\n`);
  const rest = all.slice(1).map((line) => (line || truthy(blank) ? by + line : line));
  return like(text, (truthy(first) ? by : "") + [all[0] as string, ...rest].join("\n"));
}

/** Count words: runs of Python's \w, that is letters, digits and underscores. */
export const filter_wordcount = (value: unknown): number => (chars(soft(value)).match(/[\p{L}\p{N}_]+/gu) ?? []).length;

export function filter_striptags(value: unknown): string {
  let text = value instanceof Markup ? value.$ : str(value);
  let out = "";
  for (let start = text.indexOf("<"); start >= 0; start = text.indexOf("<")) {
    const comment = text.startsWith("<!--", start);
    const end = comment ? text.indexOf("-->", start + 4) : text.indexOf(">", start);
    if (end < 0) break;
    out += text.slice(0, start);
    text = text.slice(end + (comment ? 3 : 1));
  }
  return unescaped((out + text).split(new RegExp(`[${SPACE}]+`)).filter(Boolean).join(" "));
}
