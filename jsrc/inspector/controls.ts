/** Makes a control for each kind of field. It shows a value, and reports each value that the user enters. */
import { h } from "./element.ts";
import { formatted } from "./formats.ts";
import { list } from "./rows.ts";
import type { Field } from "./server.ts";

export type Path = Array<string | number>;
/** Called with the new value; undefined for an empty field, to which the schema's default applies. */
export type Change = (value: unknown) => void;
type Values = Record<string, unknown>;

export function control(field: Field, value: unknown, path: Path, change: Change): HTMLElement {
  if (field.type === "group") return group(field, value, path, change);
  if (field.type === "rows" || field.type === "lines") return list(field, value ?? field.default, path, change);
  if (field.type === "choices") return checkboxes(field, value ?? field.default, path, change);
  return h("label", { class: `field is-${field.type}`, ...placed(path) }, ...titles(field), single(field, value, change));
}

export const placed = (path: Path): { "data-path": string } => ({ "data-path": JSON.stringify(path) });

export function titles(field: Field): HTMLElement[] {
  if (!field.title) return [];
  const needed = field.required && field.type !== "flag" && field.default === undefined && field.type !== "group";
  const title = h("span", {}, field.title, needed ? h("span", { class: "needed" }, " · required") : null);
  return [h("span", { class: "field-title" }, title, field.description ? h("small", {}, field.description) : null)];
}

function group(field: Field, value: unknown, path: Path, change: Change): HTMLElement {
  const values: Values = { ...(value as Values | undefined) };
  return h(
    "fieldset",
    { class: path.length > 1 ? "group" : "", ...placed(path) },
    ...(field.title ? [h("legend", {}, field.title)] : []),
    ...(field.description ? [h("p", { class: "dim" }, field.description)] : []),
    ...field.fields.map((inner) =>
      control(inner, values[inner.name], [...path, inner.name], (entered) => {
        if (entered === undefined) delete values[inner.name];
        else values[inner.name] = entered;
        change({ ...values });
      }),
    ),
  );
}

function single(field: Field, value: unknown, change: Change): HTMLElement {
  if (field.type === "flag") return checkbox((value ?? field.default) === true, change);
  if (field.type === "choice") return select(field, value, change);
  if (field.type === "text" && field.control !== "text") return formatted(field, value, change);
  return entry(field, value, change);
}

/** Make an `<input>` for a number, a text or JSON. */
export function entry(field: Field, value: unknown, change: Change): HTMLInputElement {
  const json = field.type === "json";
  const written = (entered: unknown): string => (entered === undefined ? "" : json ? JSON.stringify(entered) : String(entered));
  const kind = field.type === "whole" || field.type === "number" ? "number" : "text";
  const step = field.type === "number" ? "any" : "1";
  const input = h("input", {
    type: kind,
    value: written(value),
    placeholder: written(field.default),
    ...(kind === "number" ? { step } : {}),
  });
  input.addEventListener("change", () => {
    try {
      input.setCustomValidity("");
      change(parsed(field, input.value));
    } catch {
      input.setCustomValidity(`${field.title || "This"} is no JSON`);
      input.reportValidity();
    }
  });
  return input;
}

/**
 * Return the value of a text field. Throws for invalid JSON. An empty field returns undefined, but "" for a required
 * string without a default.
 */
function parsed(field: Field, text: string): unknown {
  if (text === "") return field.type === "text" && field.required && field.default === undefined ? "" : undefined;
  if (field.type === "json") return JSON.parse(text);
  return field.type === "text" ? text : Number(text);
}

function checkbox(checked: boolean, change: Change): HTMLInputElement {
  const input = h("input", { type: "checkbox", checked });
  input.addEventListener("change", () => change(input.checked));
  return input;
}

const same = (value: unknown, other: unknown): boolean => JSON.stringify(value) === JSON.stringify(other);

function select(field: Field, value: unknown, change: Change): HTMLElement {
  const current = value === undefined ? field.default : value;
  const known = field.choices.some((choice) => same(choice.value, current));
  const unset = h("option", { value: "", selected: !known }, field.default === undefined ? "Not set" : "Default");
  const options = field.choices.map((choice, index) =>
    h("option", { value: String(index), selected: same(choice.value, current) }, choice.title),
  );
  const element = h("select", {}, ...(known && field.default !== undefined ? [] : [unset]), ...options);
  element.addEventListener("change", () => change(element.value === "" ? undefined : field.choices[Number(element.value)]?.value));
  return element;
}

/** Make a checkbox for each choice of a list. */
function checkboxes(field: Field, value: unknown, path: Path, change: Change): HTMLElement {
  let chosen: unknown[] = Array.isArray(value) ? value : [];
  const boxes = field.choices.map((choice) => {
    const isChoice = (entry: unknown): boolean => same(entry, choice.value);
    const box = checkbox(chosen.some(isChoice), (on) => {
      const values = field.choices.map((other) => other.value);
      chosen = values.filter((entry) => (isChoice(entry) ? on : chosen.some((other) => same(entry, other))));
      change(chosen);
    });
    return h("label", { class: "field is-flag" }, h("span", {}, choice.title), box);
  });
  return h("div", { class: "field is-choices", role: "group", "aria-label": field.title, ...placed(path) }, ...titles(field), ...boxes);
}
