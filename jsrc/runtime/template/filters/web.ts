/** Filters that make JSON, attributes, URLs, links and wrapped text. */

import { PREFIX } from "../../escape/text";
import { iterate, unpack } from "../iterate";
import { entries, notMapping } from "../mapping";
import { Markup, chars, html, isText } from "../markup";
import { ordered } from "../compare";
import { lines } from "../methods/strings";
import { num, str } from "../text";
import { fail, integer } from "../thing";
import { truth } from "../truth";
import { textual } from "./text";

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

function jsonText(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, escaped);
}

function jsonKey(key: unknown): string {
  if (isText(key)) return chars(key);
  if (key === null) return "null";
  if (typeof key === "boolean") return String(key);
  if (typeof key === "number") return jsonNumber(key);
  throw new TypeError("keys must be str, int, float, bool or None");
}

const jsonNumber = (value: number): string =>
  value !== value ? "NaN" : Number.isFinite(value) ? num(value) : value > 0 ? "Infinity" : "-Infinity";

function sortable(a: unknown, b: unknown): number {
  if (isText(a) && isText(b)) return ordered(chars(a), chars(b));
  if (typeof a !== "object" && typeof b !== "object" && !isText(a) && !isText(b)) return Number(a) - Number(b);
  throw new TypeError("keys of different types have no order");
}

function json(value: unknown, indent: string | null, level: number): string {
  if (isText(value)) return jsonText(chars(value));
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return jsonNumber(value);
  const inner = indent === null ? "" : `\n${indent.repeat(level + 1)}`;
  const outer = indent === null ? "" : `\n${indent.repeat(level)}`;
  const comma = indent === null ? ", " : `,${inner}`;
  if (Array.isArray(value)) {
    return value.length ? `[${inner}${Array.from(value, (item) => json(item, indent, level + 1)).join(comma)}${outer}]` : "[]";
  }
  const pairs = entries(value);
  if (!pairs) throw new TypeError("it is not JSON serializable");
  if (!pairs.length) return "{}";
  const sorted = [...pairs].sort(([a], [b]) => sortable(a, b));
  const body = sorted.map(([key, member]) => `${jsonText(jsonKey(key))}: ${json(member, indent, level + 1)}`);
  return `{${inner}${body.join(comma)}${outer}}`;
}

/**
 * Write JSON that is safe in script elements and in attributes in single quotes, like Jinja2's htmlsafe_json_dumps. In
 * strings, the opening brace of a service's placeholder is escaped.
 */
export function filter_tojson(value: unknown, indent: unknown): Markup {
  const none = indent === null || isText(value);
  const by = none ? null : isText(indent) ? chars(indent) : " ".repeat(Math.max(0, integer(indent)));
  const text = json(value, by, 0).replace(/[<>&']/g, escaped);
  return new Markup(text.split(`{${PREFIX}`).join(`\\u007b${PREFIX}`));
}

export function filter_xmlattr(value: unknown, autospace: unknown): Markup {
  const items: string[] = [];
  for (const [key, attribute] of entries(value) ?? notMapping()) {
    if (attribute == null) continue;
    if (!isText(key)) throw new TypeError("an attribute's name is a string");
    if (/[ \t\n\r\f\v/>=]/.test(chars(key))) throw new TypeError("invalid character in attribute name");
    items.push(`${html(key)}="${html(attribute)}"`);
  }
  return new Markup((autospace && items.length ? " " : "") + items.join(" "));
}

function quote(value: unknown, slash: boolean): string {
  const text = isText(value) ? chars(value) : str(value);
  const out = encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, "\ufffd")).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return slash ? out.replace(/%2F/g, "/") : out.replace(/%20/g, "+");
}

export function filter_urlencode(value: unknown): string {
  const pairs = entries(value);
  if (!pairs && (isText(value) || value === null || ["number", "boolean"].includes(typeof value))) return quote(value, true);
  const items = pairs ?? iterate(value).map((pair) => unpack(pair, 2));
  return items.map(([key, item]) => `${quote(key, false)}=${quote(item, false)}`).join("&");
}

const HTTP = /^(?:(?:https?:\/\/|www\.)(?:(?:[\p{L}\p{N}_%-]+\.)+)?(?:[a-z]{2,63}|xn--[\p{L}\p{N}_%]{2,59})|(?:[\p{L}\p{N}_%-]{2,63}\.)+(?:com|net|int|edu|gov|org|info|mil)|(?:https?:\/\/)(?:(?:[\d]{1,3})(?:\.[\d]{1,3}){3}|(?:\[(?:[\da-f]{0,4}:){2}(?:[\da-f]{0,4}:?){1,6}\])))(?::[\d]{1,5})?(?:[/?#]\S*)?$/iu;
const EMAIL = /^\S+@[\p{L}\p{N}_][\p{L}\p{N}_.-]*\.[\p{L}\p{N}_]+$/u;

function balanced(head: string, middle: string, tail: string): [string, string, string] {
  for (const [start, end] of [["(", ")"], ["<", ">"], ["&lt;", "&gt;"]] as const) {
    const opened = middle.split(start).length - 1;
    if (opened <= middle.split(end).length - 1) continue;
    for (let left = Math.min(opened, tail.split(end).length - 1); left > 0; left--) {
      const at = tail.indexOf(end) + end.length;
      middle += tail.slice(0, at);
      tail = tail.slice(at);
    }
  }
  return [head, middle, tail];
}

const scheme = (value: unknown): string => {
  const name = chars(textual(value));
  return /^[\p{L}\p{N}_.+-]{2,}:\/{0,2}$/u.test(name) ? name : fail(`"${name}" is no scheme`);
};

/** Make links in a text, like `jinja2.utils.urlize`. */
export function filter_urlize(
  value: unknown, limit: unknown, nofollow: unknown, target: unknown, rel: unknown, schemes: unknown,
): Markup {
  const own = truth(rel) ? chars(textual(rel)).split(/\s+/).filter(Boolean) : [];
  const rels = new Set(["noopener", ...own, ...(nofollow ? ["nofollow"] : [])]);
  const extra = schemes === null ? [] : iterate(schemes).map(scheme);
  const attributes = ` rel="${html([...rels].sort(ordered).join(" "))}"${!truth(target) ? "" : ` target="${html(target)}"`}`;
  const trim = (text: string): string => {
    const points = Array.from(text);
    if (limit === null) return text;
    if (typeof limit !== "number" && typeof limit !== "boolean") return fail("a number is needed");
    return points.length > Number(limit) ? `${points.slice(0, integer(limit)).join("")}...` : text;
  };
  const link = (href: string, text: string, more = attributes): string => `<a href="${href}"${more}>${text}</a>`;
  const words = html(value).split(/(\s+)/u);
  return new Markup(
    words
      .map((word) => {
        let [head, middle, tail] = [/^(?:[(<]|&lt;)+/.exec(word)?.[0] ?? "", word, ""];
        middle = word.slice(head.length);
        if (/(?:[)>.,\n]|&gt;)$/.test(middle)) {
          tail = /(?:[)>.,\n]|&gt;)+$/.exec(middle)?.[0] ?? "";
          middle = middle.slice(0, middle.length - tail.length);
        }
        [head, middle, tail] = balanced(head, middle, tail);
        if (HTTP.test(middle)) {
          middle = link(/^https?:\/\//.test(middle) ? middle : `https://${middle}`, trim(middle));
        } else if (middle.startsWith("mailto:") && EMAIL.test(middle.slice(7))) {
          middle = link(middle, middle.slice(7), "");
        } else if (
          middle.includes("@") && !middle.startsWith("www.") && middle[0] !== "@" && !middle.includes(":") && EMAIL.test(middle)
        ) {
          middle = link(`mailto:${middle}`, middle, "");
        } else {
          for (const scheme of extra) if (middle !== scheme && middle.startsWith(scheme)) middle = link(middle, middle);
        }
        return head + middle + tail;
      })
      .join(""),
  );
}

/** Return Python's textwrap.TextWrapper.wordsep_re. It is created only on use, because old browsers cannot parse it. */
const chunksAtHyphens = (): RegExp =>
  /([\t\n\v\f\r ]+|(?<=[\p{L}\p{N}_!"'&.,?])-{2,}(?=[\p{L}\p{N}_])|[^\t\n\v\f\r ](?:(?!-{2,}(?=[\p{L}\p{N}_])(?<=[\p{L}\p{N}_!"'&.,?]-{2,}))[^\t\n\v\f\r ])*?(?:-(?:(?<=(?:[^\p{N}\P{L}]|_){2}-)|(?<=(?:[^\p{N}\P{L}]|_)-(?:[^\p{N}\P{L}]|_)-))(?=(?:[^\p{N}\P{L}]|_)-?(?:[^\p{N}\P{L}]|_))|(?=[\t\n\v\f\r ]|$)|(?<=[\p{L}\p{N}_!"'&.,?])(?=-{2,}[\p{L}\p{N}_])))/u;

const size = (text: string): number => Array.from(text).length;

function wrapped(line: string, width: number, breakLong: boolean, hyphens: boolean): string[] {
  if (width <= 0) throw new RangeError("invalid width (must be > 0)");
  const chunks = line.split(hyphens ? chunksAtHyphens() : /([\t\n\v\f\r ]+)/).filter(Boolean).reverse();
  const out: string[] = [];
  while (chunks.length) {
    const current: string[] = [];
    let length = 0;
    if (isBlank(chunks[chunks.length - 1] as string) && out.length) chunks.pop();
    while (chunks.length && length + size(chunks[chunks.length - 1] as string) <= width) {
      length += size(chunks[chunks.length - 1] as string);
      current.push(chunks.pop() as string);
    }
    if (chunks.length && size(chunks[chunks.length - 1] as string) > width) {
      breakWord(chunks, current, width, length, breakLong, hyphens);
    }
    if (current.length && isBlank(current[current.length - 1] as string)) current.pop();
    if (current.length) out.push(current.join(""));
  }
  return out;
}

const isBlank = (text: string): boolean => text.trim() === "";

function breakWord(chunks: string[], current: string[], width: number, length: number, breakLong: boolean, hyphens: boolean): void {
  const room = width < 1 ? 1 : width - length;
  if (!breakLong) {
    if (!current.length) current.push(chunks.pop() as string);
    return;
  }
  const points = Array.from(chunks[chunks.length - 1] as string);
  let end = room;
  if (hyphens && points.length > room) {
    const hyphen = points.slice(0, room).lastIndexOf("-");
    if (hyphen > 0 && points.slice(0, hyphen).some((point) => point !== "-")) end = hyphen + 1;
  }
  current.push(points.slice(0, end).join(""));
  chunks[chunks.length - 1] = points.slice(end).join("");
}

export function filter_wordwrap(
  value: unknown, width: unknown, breakLong: unknown, wrapstring: unknown, hyphens: unknown,
): unknown {
  if (!isText(value)) throw new TypeError("a string is needed");
  const by = wrapstring === null ? "\n" : textual(wrapstring);
  const text = lines(chars(value)).map((line) => wrapped(line, Number(width), !!breakLong, !!hyphens));
  if (by instanceof Markup) return new Markup(text.map((parts) => parts.map(html).join(by.$)).join(by.$));
  return text.map((parts) => parts.join(by)).join(by);
}
