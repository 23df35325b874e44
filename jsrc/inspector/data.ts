/**
 * A form for the app data, made from the widgets' schemas. Each change is stored at once and redraws the page. A change
 * that causes a new misfit is not stored. The message about a misfit is beside its field.
 */
import { control } from "./controls.ts";
import { h } from "./element.ts";
import { writeData, type Info, type Problem } from "./server.ts";

export function dataForm(info: Info): HTMLElement {
  const parts = info.widgets.filter((widget) => widget.fields.length);
  if (!parts.length) return h("p", { class: "dim" }, "No widget reads app data: none has a data.schema.json.");
  const status = h("span", { class: "dim", role: "status" });
  const data = structuredClone(info.data);
  const form = h("form", { class: "data", onsubmit: (event) => event.preventDefault() });
  const show = (problems: Problem[], text: string): void => {
    const elsewhere = placed(form, problems);
    status.textContent = [text, ...elsewhere.map((problem) => problem.message)].join(" · ");
    status.classList.toggle("wrong", text !== "" && problems.length > 0);
  };
  const save = async (): Promise<void> => {
    try {
      const { stored, problems } = await writeData(data);
      show(problems, stored ? "Saved" : "Not saved");
    } catch (error) {
      show([], "Not saved");
      status.textContent += `: ${error instanceof Error ? error.message : String(error)}`;
      status.classList.add("wrong");
    }
  };
  form.append(
    ...parts.map((widget) => {
      const group = { ...EMPTY, name: widget.name, title: widget.title, fields: widget.fields };
      return control(group, data[widget.name], [widget.name], (value) => {
        data[widget.name] = (value ?? {}) as Record<string, unknown>;
        void save();
      });
    }),
    h("p", { class: "data-foot" }, status),
  );
  show(info.problems, "");
  return form;
}

const EMPTY = { type: "group", description: "", required: true, choices: [], default: undefined } as const;

/** Puts each problem beside its field or the nearest enclosing one. Returns the problems without a field. */
function placed(form: HTMLElement, problems: Problem[]): Problem[] {
  for (const old of form.querySelectorAll(".problem")) old.remove();
  for (const old of form.querySelectorAll("[aria-invalid]")) old.removeAttribute("aria-invalid");
  return problems.filter(({ path, message }) => {
    for (let length = path.length; length > 1; length--) {
      const field = form.querySelector(`[data-path="${CSS.escape(JSON.stringify(path.slice(0, length)))}"]`);
      if (field) {
        field.querySelector("input, select")?.setAttribute("aria-invalid", "true");
        field.append(h("small", { class: "problem" }, message));
        return false;
      }
    }
    return true;
  });
}
