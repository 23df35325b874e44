/**
 * The steps of a state in the gallery: events that the page fires, and actions of a shopper in the widget's block. Tests
 * take the same steps with a real pointer and keyboard (`harness/awning_harness/steps/block_steps.py`). Here scripted
 * events suffice, and so a frame of the gallery does not take the focus from the page around it.
 */
import type { wait } from "./clock.ts";

/** An update that the page fires, a wait, or an action in the block with its arguments. */
export type StagedStep = { update: unknown } | { words: string; ms: number } | { words: string; verb: string; arguments: string[] };

const OWN_BLOCKS = "[data-order]:not(:has(> [data-foreign]))";
const WAIT_WITHIN_MS = 5000;
const POLL_MS = 50;
const POLLS = 60;

const later = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Take the steps one after another. If a step is not possible, write the reason under the slot and stop. */
export async function play(slot: Element, event: string, steps: StagedStep[]): Promise<void> {
  let typed: Element | undefined;
  for (const step of steps) {
    // A field fires `change` when the shopper leaves it for the next action.
    typed?.dispatchEvent(new Event("change", { bubbles: true }));
    typed = undefined;
    if ("update" in step) {
      awningEmulator.fire(event, step.update);
      continue;
    }
    try {
      if ("ms" in step) {
        await waitOnPage(step.ms);
        continue;
      }
      const element = await reachable(slot, step.arguments[0] ?? "");
      act(element, step.verb, step.arguments[1] ?? "");
      if (step.verb === "type") typed = element;
    } catch (error) {
      report(slot, `${step.words}: ${error instanceof Error ? error.message : String(error)}`);
      break;
    }
    await later(0);
  }
  document.documentElement.setAttribute("data-staged", "");
}

async function waitOnPage(ms: number): Promise<void> {
  await later(POLL_MS); // The answers of other hosts come first, as in tests.
  const clock = (globalThis as Record<symbol, unknown>)[Symbol.for("awning.clock")] as { wait: typeof wait };
  if (!(await clock.wait(ms, WAIT_WITHIN_MS))) throw new Error(`the page's timers take more than ${WAIT_WITHIN_MS / 1000} s`);
}

function report(slot: Element, text: string): void {
  console.error(`the step ${text}`);
  const note = document.createElement("p");
  note.setAttribute("role", "alert");
  note.style.cssText = "margin:8px 0;padding:8px 12px;font:14px/1.4 system-ui,sans-serif;color:#8a1c1c;background:#fdecea;border-radius:4px";
  note.textContent = `The step ${text}`;
  slot.after(note);
}

/**
 * Wait for the element, which a response or a timer may insert. Throws when none or several match, or when it is hidden
 * or disabled.
 */
async function reachable(slot: Element, selector: string): Promise<Element> {
  for (let poll = 0; poll < POLLS; poll++) {
    const [element, another] = matches(slot, selector);
    if (element && !another && isVisible(element)) break;
    await later(POLL_MS);
  }
  const [element, ...others] = matches(slot, selector);
  if (!element) throw new Error("nothing in the block matches the selector");
  if (others.length) throw new Error(`${others.length + 1} elements in the block match the selector`);
  if (!isVisible(element)) throw new Error("the element is hidden");
  if (element.matches(":disabled")) throw new Error("the element is disabled");
  return element;
}

function isVisible(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true });
}

function matches(slot: Element, selector: string): Element[] {
  return [...slot.querySelectorAll(OWN_BLOCKS)].flatMap((block) => matchesIn(block, selector));
}

function matchesIn(root: ParentNode, selector: string): Element[] {
  const shadows = [...root.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? []);
  return [...root.querySelectorAll(selector), ...shadows.flatMap((shadow) => matchesIn(shadow, selector))];
}

function act(element: Element, verb: string, text: string): void {
  if (verb === "type") type(element, text);
  else if (verb === "choose") choose(element, text);
  else if (verb === "check" || verb === "uncheck") check(element, verb === "check");
  else if (verb === "open" || verb === "close") toggle(element, verb === "open");
  else (element as HTMLElement).click();
}

function misplaced(element: Element, what: string): Error {
  return new Error(`<${element.localName}> is no ${what}`);
}

function type(element: Element, text: string): void {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) element.value = text;
  else if (element instanceof HTMLElement && element.isContentEditable) element.textContent = text;
  else throw misplaced(element, "field for text");
  element.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, inputType: "insertText", data: text }));
}

function choose(element: Element, text: string): void {
  if (!(element instanceof HTMLSelectElement)) throw misplaced(element, "<select>");
  const options = [...element.options];
  const option = options.find(({ label }) => label === text) ?? options.find(({ value }) => value === text);
  if (!option) throw new Error(`it has no option "${text}"; it has ${options.map(({ label }) => label).join(", ")}`);
  if (option.selected) throw new Error(`"${text}" is chosen already`);
  option.selected = true;
  for (const name of ["input", "change"]) element.dispatchEvent(new Event(name, { bubbles: true, composed: true }));
}

function check(element: Element, wanted: boolean): void {
  if (!(element instanceof HTMLInputElement)) throw misplaced(element, "checkbox or radio button");
  if (element.checked === wanted) throw new Error(`it is ${wanted ? "checked" : "unchecked"} already`);
  element.click();
}

function toggle(element: Element, wanted: boolean): void {
  if (!(element instanceof HTMLDetailsElement)) throw misplaced(element, "<details>");
  if (element.open === wanted) throw new Error(`it is ${wanted ? "open" : "closed"} already`);
  element.querySelector("summary")?.click();
}

Object.defineProperty(globalThis, "awningSteps", { value: Object.freeze({ play }) });
