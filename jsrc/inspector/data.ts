/** The app data, widget by widget, as a form made from each widget's schema. Saving redraws the page. */
import { h } from "./element.ts";
import { writeData, type Field, type Info } from "./server.ts";

type Part = Record<string, unknown>;

export function dataForm(info: Info): HTMLElement {
  const status = h("span", { class: "dim", role: "status" });
  const data = structuredClone(info.data);
  const say = (text: string, wrong = false): void => {
    status.textContent = text;
    status.classList.toggle("wrong", wrong);
  };
  const save = async (): Promise<void> => {
    try {
      await writeData(data);
      say("Saved");
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), true);
    }
  };
  const change = (widget: string, field: Field, value: unknown): void => {
    const part: Part = (data[widget] ??= {});
    if (value === undefined) delete part[field.name];
    else part[field.name] = value;
    void save();
  };
  const parts = info.widgets.filter((widget) => widget.fields.length);
  if (!parts.length) return h("p", { class: "dim" }, "No widget reads app data: none has a data.schema.json.");
  return h(
    "form",
    { class: "data", onsubmit: (event) => event.preventDefault() },
    ...parts.map((widget) =>
      h(
        "fieldset",
        {},
        h("legend", {}, widget.title),
        ...widget.fields.map((field) =>
          row(field, data[widget.name]?.[field.name], (value) => change(widget.name, field, value), say),
        ),
      ),
    ),
    h("p", { class: "data-foot" }, status),
  );
}

type Change = (value: unknown) => void;
type Say = (text: string, wrong?: boolean) => void;

function row(field: Field, value: unknown, change: Change, say: Say): HTMLElement {
  const control = control_(field, value, change, say);
  const label = h("span", { class: "field-title" }, field.title, field.description ? h("small", {}, field.description) : null);
  return h("label", { class: `field is-${field.type}` }, label, control);
}

function control_(field: Field, value: unknown, change: Change, say: Say): HTMLElement {
  if (field.type === "boolean") return checkbox(value ?? field.default, change);
  if (field.choices.length) return select(field, value, change);
  const json = field.type === "json";
  const shown = value === undefined ? "" : json ? JSON.stringify(value) : String(value);
  const placeholder = field.default === undefined ? "" : json ? JSON.stringify(field.default) : String(field.default);
  const kind = field.type === "integer" || field.type === "number" ? "number" : "text";
  const step = field.type === "number" ? "any" : "1";
  const input = h("input", { type: kind, value: shown, placeholder, ...(kind === "number" ? { step } : {}) });
  input.addEventListener("change", () => {
    try {
      change(parsed(field, input.value));
    } catch {
      say(`${field.title} is no JSON`, true);
    }
  });
  return input;
}

/** Nothing typed is nothing set: the schema's default holds. */
function parsed(field: Field, text: string): unknown {
  if (text === "") return undefined;
  if (field.type === "json") return JSON.parse(text);
  return field.type === "string" ? text : Number(text);
}

function checkbox(value: unknown, change: Change): HTMLElement {
  const input = h("input", { type: "checkbox", checked: value === true });
  input.addEventListener("change", () => change(input.checked));
  return input;
}

function select(field: Field, value: unknown, change: Change): HTMLElement {
  const options = field.choices.map((choice) => h("option", { selected: choice === (value ?? field.default) }, choice));
  const element = h("select", {}, ...options);
  element.addEventListener("change", () => change(element.value));
  return element;
}
