/**
 * Edits a payload as JSON and fires it. A syntax error is shown at its place, and prevents firing. A value that the
 * service does not send is noted, but can be fired, because a widget must tolerate it.
 */
import { h } from "./element.ts";
import { placeOf, readJson } from "./json.ts";
import { oncePerList, payloadMisfits, type Known, type Knowledge } from "./knowledge.ts";

export interface Edited {
  /** What is edited: `updatedItem of after-price-updated`. */
  title: string;
  value: unknown;
  known: Known;
  fire(value: unknown): void;
  /** Called when the editor is to be closed. */
  close(): void;
}

const MOST_NOTES = 8;

export function payloadEditor({ title, value, known, fire, close }: Edited, knowledge: Knowledge): HTMLFormElement {
  const original = JSON.stringify(value, null, 2) ?? "";
  const area = h("textarea", { spellcheck: "false", autocomplete: "off", "aria-describedby": "fault", rows: "4" });
  const fault = h("p", { class: "fault", id: "fault", role: "alert" });
  const notes = h("ul", { class: "notes", "aria-label": "What the service does not send" });
  const form = h(
    "form",
    { class: "editor" },
    h("label", {}, h("span", { class: "field-title" }, `${title}, as JSON`), area),
    fault,
    notes,
    h(
      "p",
      { class: "buttons" },
      h("button", { type: "submit", class: "main" }, "Fire"),
      h("button", { type: "button", class: "quiet", onclick: () => reset() }, "Reset"),
      h("button", { type: "button", class: "quiet", onclick: close }, "Done"),
    ),
  );

  /**
   * Show the syntax error of the text, or the values that the service does not send. Returns the parsed value, or the
   * offset of the syntax error.
   */
  const check = (): { value: unknown } | { at: number } => {
    const { value: text } = area;
    const read = readJson(text);
    area.toggleAttribute("aria-invalid", false);
    fault.replaceChildren();
    notes.replaceChildren();
    if (read.fault) {
      const { line, column } = placeOf(text, read.fault.at);
      area.setAttribute("aria-invalid", "true");
      const source = (text.split("\n")[line - 1] ?? "").slice(0, column + 60);
      fault.append(`Line ${line}, column ${column}: ${read.fault.message}`, h("code", { "aria-hidden": "true" }, `${source}\n${" ".repeat(column - 1)}^`));
      return { at: read.fault.at };
    }
    const misfits = oncePerList(payloadMisfits(read.value, known, knowledge));
    notes.append(
      ...misfits.slice(0, MOST_NOTES).map(({ path, message, others }) => {
        const at = read.places.get(JSON.stringify(path)) ?? 0;
        const more = others && `, and in ${others} more ${others === 1 ? "entry" : "entries"}`;
        return h("li", {}, h("button", { type: "button", class: "link", onclick: () => point(at) }, `Line ${placeOf(text, at).line}`), `: ${message}${more || ""}`);
      }),
    );
    if (misfits.length > MOST_NOTES) notes.append(h("li", {}, `and ${misfits.length - MOST_NOTES} more`));
    return { value: read.value };
  };

  /** Select the character at an offset, and scroll to it. */
  const point = (at: number): void => {
    area.focus();
    area.setSelectionRange(at, at + 1);
    const height = Number.parseFloat(getComputedStyle(area).lineHeight);
    area.scrollTop = Math.max(0, (placeOf(area.value, at).line - 3) * height);
  };
  const reset = (): void => {
    area.value = original;
    check();
  };

  area.addEventListener("input", check);
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const checked = check();
    if ("at" in checked) point(checked.at);
    else fire(checked.value);
  });
  reset();
  return form;
}
