/**
 * A form for the app data, made from the widgets' schemas. Each change is stored at once and redraws the page, unless
 * it causes a new misfit. A field with a misfit does not keep the others from being stored. The message about a misfit
 * is beside its field.
 */
import { control } from "./controls.ts";
import { h } from "./element.ts";
import type { Info, Problem, Server } from "./server.ts";

export interface DataForm {
  element: HTMLElement;
  /** Remove the outcome of the last change, because a newer status is shown elsewhere. */
  clearOutcome(): void;
}

/**
 * Make the form. `onOutcome` is called when the form shows the outcome of a change. On a page
 * with app data of its own, a change goes into its address, and `reload` is called.
 */
export function dataForm(info: Info, server: Server, onOutcome: () => void, reload: () => void): DataForm {
  const parts = info.widgets.filter((widget) => widget.fields.length);
  if (!parts.length) {
    const element = h("p", { class: "dim" }, "No widget reads app data: none has a data.schema.json.");
    return { element, clearOutcome: () => {} };
  }
  const status = h("span", { class: "dim", role: "status" });
  /** The messages about misfits that have no field. */
  let elsewhere: string[] = [];
  const data = structuredClone(info.data);
  const form = h("form", { class: "data", onsubmit: (event) => event.preventDefault() });
  const write = (outcome: string, isWrong = false): void => {
    status.textContent = [outcome, ...elsewhere].filter(Boolean).join(" · ");
    status.classList.toggle("wrong", isWrong);
  };
  const place = (problems: Problem[]): void => {
    elsewhere = placed(form, problems).map((problem) => problem.message);
  };
  let saving: Promise<void> | null = null;
  let isDue = false;
  const save = async (): Promise<void> => {
    isDue = false;
    let isInAddress = false;
    try {
      const { stored, whole, problems, option } = await server.writeData(data);
      if (option !== undefined) {
        const address = new URL(location.href);
        address.searchParams.set("data", option);
        history.replaceState(history.state, "", address);
        isInAddress = true;
      }
      place(problems);
      write(whole ? "Saved" : stored ? "Saved, but not what is marked" : "Not saved", problems.length > 0);
    } catch (error) {
      place([]);
      write(`Not saved: ${error instanceof Error ? error.message : String(error)}`, true);
    }
    onOutcome();
    if (isDue) await save();
    else if (isInAddress) reload();
  };
  /** Save all changes so far. One request at a time, because the last one to arrive at the server counts. */
  const saveSoon = (): void => {
    isDue = true;
    saving ??= save().finally(() => (saving = null));
  };
  form.append(
    ...parts.map((widget) => {
      const group = { ...EMPTY, name: widget.name, title: widget.title, fields: widget.fields };
      return control(group, data[widget.name], [widget.name], (value) => {
        data[widget.name] = (value ?? {}) as Record<string, unknown>;
        saveSoon();
      });
    }),
    server.hasOtherData() ? h("p", { class: "dim" }, "These are the app data of this page, from its address. A change goes into the address.") : "",
    h("p", { class: "data-foot" }, status),
  );
  place(info.problems);
  write("");
  return { element: form, clearOutcome: () => write("") };
}

const EMPTY = { type: "group", control: "text", description: "", required: true, choices: [], default: undefined } as const;

/** Puts each problem beside its field or the nearest enclosing one. Returns the problems without a field. */
function placed(form: HTMLElement, problems: Problem[]): Problem[] {
  for (const old of form.querySelectorAll(".problem")) old.remove();
  for (const old of form.querySelectorAll("[aria-invalid]")) old.removeAttribute("aria-invalid");
  return problems.filter(({ path, message }) => {
    for (let length = path.length; length > 1; length--) {
      const field = form.querySelector(`[data-path="${CSS.escape(JSON.stringify(path.slice(0, length)))}"]`);
      if (field) {
        field.querySelector("input, select, textarea")?.setAttribute("aria-invalid", "true");
        field.append(h("small", { class: "problem" }, message));
        return false;
      }
    }
    return true;
  });
}
