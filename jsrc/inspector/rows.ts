/**
 * A list whose entries are added, removed and moved: rows of fields, or single values. Each button says which row it is
 * about, and the focus stays with the row.
 */
import { control, placed, titles, type Change, type Path } from "./controls.ts";
import { h } from "./element.ts";
import type { Field } from "./server.ts";

type Action = "up" | "down" | "remove";
const LONGEST_SUMMARY = 60;
const FIELDS = "input, select, textarea";

export function list(field: Field, value: unknown, path: Path, change: Change): HTMLElement {
  const hasFields = field.type === "rows";
  const item: Field = hasFields ? { ...field, name: "", title: "", description: "", type: "group" } : (field.item as Field);
  const entries: unknown[] = Array.isArray(value) ? [...value] : [];
  const rows = h("ol", { class: "rows" });
  const add = h("button", { type: "button", class: "quiet", onclick: () => append() }, "Add");

  const name = (index: number): string => {
    const summary = hasFields ? summaryOf(item, entries[index]) : field.title;
    return `Row ${index + 1} of ${entries.length}${summary ? `: ${summary}` : ""}`;
  };
  const button = (action: Action, index: number, text: string, usable = true): HTMLElement =>
    h("button", { type: "button", class: "quiet", "data-action": action, disabled: !usable, onclick: () => act(action, index) },
      h("span", { "aria-hidden": "true" }, text),
      h("span", { class: "unseen" }, `${LABELS[action]}: ${name(index)}`));
  const row = (entry: unknown, index: number): HTMLElement =>
    h("li", { class: hasFields ? "row" : "row is-single" },
      named(control(item, entry, [...path, index], (entered) => {
        entries[index] = entered ?? blank(field);
        rename(index);
        change([...entries]);
      }), name(index)),
      h("span", { class: "row-actions" },
        button("up", index, "\u2191", index > 0),
        button("down", index, "\u2193", index < entries.length - 1),
        button("remove", index, "Remove")));
  /** Name a row after its new values. */
  const rename = (index: number): void => {
    const shown = rows.children[index];
    if (!shown) return;
    named(shown.firstElementChild as HTMLElement, name(index));
    for (const element of shown.querySelectorAll<HTMLElement>(":scope > .row-actions > button")) {
      const label = element.querySelector(".unseen");
      if (label) label.textContent = `${LABELS[element.dataset["action"] as Action]}: ${name(index)}`;
    }
  };
  const draw = (): void => {
    rows.replaceChildren(...entries.map(row));
    add.disabled = typeof field.most === "number" && entries.length >= field.most;
  };
  /** Focus a button of a row. At an end of the list, it is the other one; without a row, it is the one that adds. */
  const focus = (action: Action, index: number): void => {
    const buttons = [action, "up", "down"].map((one) => rows.children[index]?.querySelector<HTMLButtonElement>(`:scope > .row-actions > [data-action="${one}"]`));
    (buttons.find((element) => element && !element.disabled) ?? add).focus();
  };
  const act = (action: Action, index: number): void => {
    const [taken] = entries.splice(index, 1);
    const place = action === "remove" ? Math.min(index, entries.length - 1) : index + (action === "up" ? -1 : 1);
    if (action !== "remove") entries.splice(place, 0, taken);
    draw();
    change([...entries]);
    focus(action, place);
  };
  // A new entry is stored when it has its first value, because an empty entry may be a misfit.
  const append = (): void => {
    entries.push(blank(field));
    draw();
    rows.lastElementChild?.querySelector<HTMLElement>(`:is(${FIELDS})`)?.focus();
  };
  draw();
  return h("div", { class: hasFields ? "field is-list is-rows" : "field is-list", role: "group", "aria-label": field.title, ...placed(path) }, ...titles(field), rows, add);
}

const LABELS: Record<Action, string> = { up: "Move up", down: "Move down", remove: "Remove" };

/** Name the only control of an entry, or its group of fields. */
function named(element: HTMLElement, name: string): HTMLElement {
  const single = element.matches("label") ? element.querySelector(FIELDS) : element;
  single?.setAttribute("aria-label", name);
  return element;
}

/** Return the first text, number or choice of a row. */
function summaryOf(item: Field, entry: unknown): string {
  const values = (entry ?? {}) as Record<string, unknown>;
  for (const field of item.fields) {
    const value = values[field.name];
    if (field.type === "choice" && value !== undefined) return field.choices.find((choice) => choice.value === value)?.title ?? "";
    if ((typeof value === "string" && value.trim()) || typeof value === "number") return String(value).slice(0, LONGEST_SUMMARY);
  }
  return "";
}

/** Return a new row, or an empty value of the type of a line. */
function blank(field: Field): unknown {
  if (field.type === "rows") return structuredClone(field.blank ?? {});
  return field.item?.type === "text" ? "" : 0;
}
