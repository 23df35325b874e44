/**
 * Marks a field that is left with a wrong entry, as the page does after "Save", and removes the mark once the entry is right.
 * The server checks the entries for the preview, so no limit is here.
 */
type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Long enough for the click that leaves a field: a mark moves what is below it. */
const AFTER_CLICK_MS = 400;

export interface Marks {
  begin(): void;
  end(problems: ReadonlyMap<string, string>): void;
}

/**
 * Mark fields of a form from now on. `error` is said before each problem. `begin` is called when a check begins, and
 * `end` with its problems by the id of their field.
 */
export function markFields(form: HTMLFormElement, error: string): Marks {
  /** The fields that were edited, and whether they were left since. */
  const edited = new Map<Control, boolean>();
  /** The fields whose newest entry no check has seen, and how many checks had begun before it: the known problem may be over. */
  const unchecked = new Map<Control, number>();
  let begun = 0;
  let problems: ReadonlyMap<string, string> = new Map();
  const draw = (): void => {
    for (const [control, wasLeft] of edited) {
      if (unchecked.has(control)) continue;
      const problem = problems.get(control.id);
      if (!problem) unmark(control);
      else if (wasLeft || control.getAttribute("aria-invalid") === "true") mark(control, problem, error);
    }
  };
  form.addEventListener("input", ({ target }) => {
    const control = controlOf(target);
    if (!control) return;
    unchecked.set(control, begun);
    if (!edited.has(control)) edited.set(control, false);
  });
  form.addEventListener("change", ({ target }) => {
    const control = controlOf(target);
    if (!control) return;
    edited.set(control, true);
    setTimeout(draw, AFTER_CLICK_MS);
  });
  return {
    begin() {
      begun++;
    },
    end(newest) {
      problems = newest;
      for (const [control, before] of unchecked) if (before < begun) unchecked.delete(control);
      draw();
    },
  };
}

/** Return the control that has the id of its field: a date and time has a second one. */
function controlOf(target: EventTarget | null): Control | null {
  const field = target instanceof Element ? target.closest(".field") : null;
  return field?.querySelector<Control>(":is(input, select, textarea)[id]") ?? null;
}

const problemIdOf = ({ id }: Control): string => `${id}-problem`;

/** The markup is that of `form.html`. */
function mark(control: Control, problem: string, error: string): void {
  unmark(control);
  const field = control.closest(".field");
  const inside = [...(field?.children ?? [])].find((child) => child.contains(control));
  const unseen = document.createElement("span");
  unseen.className = "unseen";
  unseen.textContent = `${error}: `;
  const text = document.createElement("p");
  text.className = "bad";
  text.id = problemIdOf(control);
  text.append(unseen, problem);
  inside?.before(text);
  field?.classList.add("wrong");
  control.setAttribute("aria-invalid", "true");
  describe(control, [...describedBy(control), text.id]);
}

function unmark(control: Control): void {
  document.getElementById(problemIdOf(control))?.remove();
  control.closest(".field")?.classList.remove("wrong");
  control.removeAttribute("aria-invalid");
  describe(control, describedBy(control).filter((id) => id !== problemIdOf(control)));
}

function describedBy(control: Control): string[] {
  return (control.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
}

function describe(control: Control, ids: string[]): void {
  if (ids.length) control.setAttribute("aria-describedby", ids.join(" "));
  else control.removeAttribute("aria-describedby");
}
