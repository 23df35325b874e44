/** Types texts into the fields of a block, and looks for those that the page takes for HTML or JavaScript. */
import type { Control } from "./controls.ts";
import type { Frame } from "./frame.ts";
import { kindOf, plantedOn, within } from "./look.ts";

const TEXT_TYPES = /^(text|search|tel|url|email|)$/;

/**
 * Type each text into each text field of the block, and send the field's form. Return what becomes of the first text
 * that runs or becomes a part of the page; an empty list if all are harmless.
 *
 * A handler that goes to another address does not leave the page. The browser lets a page cancel that only if the page
 * has an address of its own, so the trial `loads` it.
 */
export async function insertedByTyping(frame: Frame, { ran, trial }: Control, texts: readonly string[], settle: () => Promise<void>): Promise<string[]> {
  const { navigation } = frame as Frame & { navigation?: EventTarget };
  navigation?.addEventListener("navigate", (event) => event.preventDefault());
  const count = textFields(frame, trial.slot).length;
  for (let place = 0; place < count; place++) {
    for (const text of texts) {
      const field = textFields(frame, trial.slot)[place];
      if (!field) break;
      const typed = `${JSON.stringify(typeInto(frame, field, text))} typed into ${kindOf(field)}`;
      field.dispatchEvent(new frame.Event("change", { bubbles: true, composed: true }));
      field.form?.dispatchEvent(new frame.SubmitEvent("submit", { bubbles: true, cancelable: true }));
      await settle();
      if (ran.includes("pwn")) return [`${typed} runs as a script`];
      const planted = plantedOn(frame, trial.slot);
      if (planted.length) return [`${typed} becomes a part of the page: ${planted.slice(0, 3).join(", ")}`];
    }
  }
  return [];
}

export function isTextField(element: Element): element is HTMLInputElement {
  return element.localName === "textarea" || (element.localName === "input" && TEXT_TYPES.test((element as HTMLInputElement).type));
}

/** Type a text, or as much of it as the field takes. Return what the field has now. */
export function typeInto(frame: Frame, field: HTMLInputElement, text: string): string {
  field.value = field.maxLength > 0 ? text.slice(0, field.maxLength) : text;
  field.dispatchEvent(new frame.InputEvent("input", { bubbles: true, composed: true }));
  return field.value;
}

function textFields(frame: Frame, slot: string): HTMLInputElement[] {
  const block = frame.document.querySelector(`.placeholder-${slot}`);
  return (block ? within(block) : []).filter(isTextField).filter((field) => !field.matches(":disabled, [readonly], [data-foreign] *"));
}
