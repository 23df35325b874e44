/**
 * What a shopper does to an element. A step of a state yields such actions one after another, so that the page can react
 * in between. Storefront tests perform them with a real pointer (`harness/awning_harness/visit/steps/visit_script.py`),
 * frames and the gallery as `scripted_pointer.ts` does.
 */
import { isChosen } from "./fields.ts";

export interface Action {
  /** What a shopper would call the element. */
  what: string;
  element: Element;
  /** What Playwright's ElementHandle calls the action, and its options. `visit_script.py` lists what a page may name. */
  method: string;
  options?: Readonly<Record<string, unknown>>;
  /** Whether the element only gets the focus. A shopper must be able to reach any other. */
  isField?: boolean;
  /** Perform it by scripted events. Without this, the element must only be in reach. */
  perform?(pointer: Pointer): void;
}

/** Presses an element, or fires an event of the mouse there. `count` is 2 for the second click of two. */
export interface Pointer {
  press(count?: number): void;
  fire(name: string, count: number): void;
}

export type Actions = Iterator<Action, void>;

export const press = (element: Element, what: string): Action => ({
  ...{ element, what, method: "click" },
  perform: (pointer) => pointer.press(),
});

/** To reach an element is to be able to click it, without doing so. */
export const reach = (element: Element, what: string): Action => ({ element, what, method: "click", options: { trial: true } });

export const choose = (element: Element, index: number, what: string): Action => ({
  ...{ element, what, method: "select_option", options: { index }, isField: true },
  perform() {
    (element as HTMLSelectElement).selectedIndex = index;
    for (const name of ["input", "change"]) {
      element.dispatchEvent(new (viewOf(element).Event)(name, { bubbles: true, composed: true }));
    }
  },
});

export const fill = (element: Element, value: string, what: string): Action => ({
  ...{ element, what, method: "fill", options: { value }, isField: true },
  perform() {
    const { maxLength = -1 } = element as HTMLInputElement;
    const text = maxLength < 0 ? value : value.slice(0, maxLength);
    if ("value" in element) element.value = text;
    else element.textContent = text;
    const typed = { bubbles: true, composed: true, inputType: "insertText", data: text };
    element.dispatchEvent(new (viewOf(element).InputEvent)("input", typed));
    if (isChosen(element)) element.dispatchEvent(new (viewOf(element).Event)("change", { bubbles: true }));
  },
});

export function viewOf(element: Element): Window & typeof globalThis {
  return element.ownerDocument.defaultView as Window & typeof globalThis;
}
