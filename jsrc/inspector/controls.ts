/** Makes a control for each kind of field. It shows a value, and reports each value that the user enters. */
import { h } from "./element.ts";
import type { Field } from "./server.ts";

type Path = Array<string | number>;
/** Called with the new value; undefined for an empty field, to which the schema's default applies. */
type Change = (value: unknown) => void;
type Values = Record<string, unknown>;

export function control(field: Field, value: unknown, path: Path, change: Change): HTMLElement {
  if (field.type === "group") return group(field, value, path, change);
  if (field.type === "list") return list(field, value ?? field.default, path, change);
  if (field.type === "choices") return checkboxes(field, value ?? field.default, path, change);
  return h("label", { class: `field is-${field.type}`, ...placed(path) }, ...titles(field), single(field, value, change));
}

const placed = (path: Path): { "data-path": string } => ({ "data-path": JSON.stringify(path) });

function titles(field: Field): HTMLElement[] {
  if (!field.title) return [];
  const needed = field.required && field.type !== "boolean" && field.default === undefined && field.type !== "group";
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

/** A list of entries. An entry that is an object is a row of fields. */
function list(field: Field, value: unknown, path: Path, change: Change): HTMLElement {
  const item = field.item as Field;
  const entries: unknown[] = Array.isArray(value) ? [...value] : [];
  const rows = h("ol", { class: "rows" });
  const of = `${field.title || "entry"}`;
  const draw = (): void => {
    rows.replaceChildren(
      ...entries.map((entry, index) =>
        h(
          "li",
          { class: item.type === "group" ? "row" : "row is-single" },
          named(control(item, entry, [...path, index], (entered) => {
            entries[index] = entered ?? blank(item);
            change([...entries]);
          }), `${of} ${index + 1}`),
          h("button", { type: "button", class: "quiet", "aria-label": `Remove ${of} ${index + 1}`, onclick: () => remove(index) }, "Remove"),
        ),
      ),
    );
  };
  const remove = (index: number): void => {
    entries.splice(index, 1);
    draw();
    change([...entries]);
    add.focus();
  };
  // A new entry is stored when it has its first value, because an empty entry may be a misfit.
  const add = h("button", { type: "button", class: "quiet", onclick: () => {
    entries.push(blank(item));
    draw();
    rows.querySelector<HTMLElement>("li:last-child :is(input, select)")?.focus();
  } }, "Add");
  draw();
  return h("div", { class: item.type === "group" ? "field is-list is-rows" : "field is-list", role: "group", "aria-label": field.title, ...placed(path) }, ...titles(field), rows, add);
}

function named(element: HTMLElement, name: string): HTMLElement {
  const single = element.matches("label") ? element.querySelector("input, select") : element;
  single?.setAttribute("aria-label", name);
  return element;
}

/** Return the value of a new entry: the field's default, else an empty value of its type or the first choice. */
function blank(field: Field): unknown {
  if (field.default !== undefined) return structuredClone(field.default);
  if (field.type === "group") return {};
  if (field.type === "boolean") return false;
  if (field.type === "list" || field.type === "choices") return [];
  if (field.type === "choice") return field.choices[0]?.value;
  return field.type === "string" ? "" : field.type === "json" ? null : 0;
}

function single(field: Field, value: unknown, change: Change): HTMLElement {
  if (field.type === "boolean") return checkbox((value ?? field.default) === true, change);
  if (field.type === "choice") return select(field, value, change);
  const json = field.type === "json";
  const written = (entered: unknown): string => (entered === undefined ? "" : json ? JSON.stringify(entered) : String(entered));
  const kind = field.type === "integer" || field.type === "number" ? "number" : "text";
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
  if (text === "") return field.type === "string" && field.required && field.default === undefined ? "" : undefined;
  if (field.type === "json") return JSON.parse(text);
  return field.type === "string" ? text : Number(text);
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
    return h("label", { class: "field is-boolean" }, h("span", {}, choice.title), box);
  });
  return h("div", { class: "field is-choices", role: "group", "aria-label": field.title, ...placed(path) }, ...titles(field), ...boxes);
}
