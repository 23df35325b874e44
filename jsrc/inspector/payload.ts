/** A payload as a tree. A mark shows whether a field is documented, observed, assumed or unknown. */
import { h } from "./element.ts";
import { typeOf, type Known, type Knowledge } from "./knowledge.ts";
import type { PayloadField } from "./server.ts";

const LONGEST = 200;

/** Make the tree of an object, or the text of another value. `known` are the fields that the object may have. */
export function payloadTree(value: unknown, known: Known, knowledge: Knowledge): HTMLElement {
  if (!isParent(value)) return h("code", { class: "value" }, textOf(value));
  return branch(value, known, knowledge, []);
}

/** Make the list of an object's members. `above` are the objects that contain it, the outermost first. */
function branch(value: object, known: Known, knowledge: Knowledge, above: readonly object[], isList = Array.isArray(value)): HTMLElement {
  const items = Object.entries(value).map(([name, member]) => {
    const field = known?.find((candidate) => candidate.name === name);
    // The entries of a list have no names of their own, so they are not marked.
    const fields = isList ? known : knowledge.inside(field);
    const title = isList ? `[${name}]` : name;
    return node(title, member, isList ? null : mark(field, known), field, fields, knowledge, [...above, value]);
  });
  return h("ul", { class: "tree" }, ...items);
}

function node(
  title: string,
  value: unknown,
  badge: HTMLElement | null,
  field: PayloadField | undefined,
  known: Known,
  knowledge: Knowledge,
  above: readonly object[],
): HTMLElement {
  const name = h("span", { class: "name", ...(field ? { title: aboutOf(field) } : {}) }, title);
  // An app may trigger an event with an object that contains itself.
  const isCircular = isParent(value) && above.includes(value);
  if (!isParent(value) || isCircular || !Object.keys(value).length) {
    const text = isCircular ? "circular" : textOf(value);
    return h("li", {}, h("span", { class: "leaf" }, name, h("code", { class: `value is-${typeOf(value)}` }, text), badge));
  }
  const size = Object.keys(value).length;
  const brief = Array.isArray(value) ? `${size} ${size === 1 ? "entry" : "entries"}` : "";
  const summary = h("summary", {}, name, brief ? h("span", { class: "dim" }, brief) : null, badge);
  // A nested list is closed at first, because it may be long.
  const isOpen = !Array.isArray(value) && above.length <= 2;
  return h("li", {}, h("details", { open: isOpen }, summary, branch(value, known, knowledge, above)));
}

/** Make the mark of a field; null if the fields of its object are not known at all. */
function mark(field: PayloadField | undefined, known: Known): HTMLElement | null {
  if (!known) return null;
  const source = field?.source ?? "unknown";
  return h("span", { class: `mark is-${source}` }, source);
}

function aboutOf({ about, seen }: PayloadField): string {
  return [about, seen && `Observed: ${seen}`].filter(Boolean).join(" ");
}

const isParent = (value: unknown): value is object => typeof value === "object" && value !== null;

function textOf(value: unknown): string {
  if (value === undefined) return "undefined";
  if (typeof value === "bigint") return `${value}n`;
  const text = typeof value === "function" ? "function" : (JSON.stringify(value) ?? String(value));
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text;
}
