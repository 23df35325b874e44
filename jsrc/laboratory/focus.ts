/** Looks whether focus and typed text survive updates. */
import type { Frame } from "./frame.ts";
import { within } from "./look.ts";

const TYPED = "typed by a shopper";
const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
const TEXT_TYPES = /^(text|search|tel|url|email|)$/;

/** Use each field and button of the block, deliver an update, and return what has lost focus or text. */
export async function lostAtUpdate(frame: Frame, slot: string, update: () => Promise<void>): Promise<string[]> {
  const lost: string[] = [];
  const count = focusable(frame, slot).length;
  for (let place = 0; place < count; place++) {
    const element = focusable(frame, slot)[place];
    if (!element) continue;
    element.focus();
    if (activeElement(frame) !== element) continue;
    const typed = isTextField(element) && !element.readOnly;
    if (typed) type(frame, element);
    await update();
    const after = focusable(frame, slot);
    const counterpart = after[place];
    if (after.length !== count || !counterpart || kindOf(counterpart) !== kindOf(element)) continue;
    if (activeElement(frame) !== counterpart) lost.push(`${kindOf(element)} loses the focus`);
    if (typed && (counterpart as HTMLInputElement).value !== TYPED) lost.push(`${kindOf(element)} loses the typed text`);
  }
  return lost;
}

function focusable(frame: Frame, slot: string): HTMLElement[] {
  const block = frame.document.querySelector(`#content-${slot}`);
  const elements = block ? within(block) : [];
  return elements.filter((element): element is HTMLElement => element.matches(FOCUSABLE) && !element.matches(":disabled, [data-foreign] *") && element.checkVisibility());
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
  field.value = TYPED.slice(0, field.maxLength > 0 ? field.maxLength : undefined);
  field.dispatchEvent(new frame.InputEvent("input", { bubbles: true, composed: true }));
}

function kindOf(element: Element): string {
  const names = [...element.classList].filter((name) => !name.startsWith("aw-")).map((name) => `.${name}`);
  const type = element.getAttribute("type");
  return `${element.localName}${type ? `[type=${type}]` : ""}${names.join("")}`;
}
