/** Checks whether focus, typed text, choices and opened details survive updates. */
import type { Frame } from "./frame.ts";
import { within } from "./look.ts";

const TYPED = "typed by a shopper";
const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
const TEXT_TYPES = /^(text|search|tel|url|email|)$/;

/**
 * Focus each control of the block, type into it or choose it, then call `update`, which delivers updates. Return what
 * has lost focus, text or a choice.
 *
 * Each `<details>` of the block is opened first, and must stay open.
 */
export async function lostAtUpdate(frame: Frame, slot: string, update: () => Promise<void>): Promise<string[]> {
  const lost: string[] = [];
  const opened = open(frame, slot);
  const count = focusable(frame, slot).length;
  for (let place = 0; place < count; place++) {
    const element = focusable(frame, slot)[place];
    if (!element) continue;
    element.focus();
    if (activeElement(frame) !== element) continue;
    const typed = isTextField(element) && !element.readOnly;
    if (typed) type(frame, element);
    const chosen = choose(element);
    await update();
    if (openIn(frame, slot).length < opened) return [...lost, "what a shopper has opened closes"];
    const after = focusable(frame, slot);
    const counterpart = after[place];
    if (after.length !== count || !counterpart || kindOf(counterpart) !== kindOf(element)) continue;
    if (activeElement(frame) !== counterpart) lost.push(`${kindOf(element)} loses the focus`);
    if (typed && (counterpart as HTMLInputElement).value !== TYPED.slice(0, longest(element))) lost.push(`${kindOf(element)} loses the typed text`);
    if (chosen && !(counterpart as HTMLInputElement).checked) lost.push(`${kindOf(element)} loses the choice`);
  }
  return lost;
}

/** Open each `<details>` of the block. Return how many are open. */
function open(frame: Frame, slot: string): number {
  for (const details of elementsIn(frame, slot)) if (details.matches("details")) details.setAttribute("open", "");
  return openIn(frame, slot).length;
}

function openIn(frame: Frame, slot: string): Element[] {
  return elementsIn(frame, slot).filter((element) => element.matches("details[open]"));
}

/** Choose a radio button or a checkbox. Return whether it is chosen now; false for any other element. */
function choose(element: HTMLElement): boolean {
  if (!element.matches("[type=radio], [type=checkbox]")) return false;
  const input = element as HTMLInputElement;
  if (!input.checked) input.click();
  return input.checked;
}

function elementsIn(frame: Frame, slot: string): Element[] {
  const block = frame.document.querySelector(`#content-${slot}`);
  return block ? within(block) : [];
}

function focusable(frame: Frame, slot: string): HTMLElement[] {
  return elementsIn(frame, slot).filter((element): element is HTMLElement => element.matches(FOCUSABLE) && !element.matches(":disabled, [data-foreign] *") && element.checkVisibility());
}

function activeElement(frame: Frame): Element | null {
  let active = frame.document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}

function isTextField(element: Element): element is HTMLInputElement {
  return element.localName === "textarea" || (element.localName === "input" && TEXT_TYPES.test((element as HTMLInputElement).type));
}

function type(frame: Frame, field: HTMLInputElement): void {
  field.value = TYPED.slice(0, longest(field));
  field.dispatchEvent(new frame.InputEvent("input", { bubbles: true, composed: true }));
}

function longest({ maxLength }: HTMLInputElement): number | undefined {
  return maxLength > 0 ? maxLength : undefined;
}

function kindOf(element: Element): string {
  const names = [...element.classList].filter((name) => !name.startsWith("aw-")).map((name) => `.${name}`);
  const type = element.getAttribute("type");
  return `${element.localName}${type ? `[type=${type}]` : ""}${names.join("")}`;
}
