/**
 * What a shopper does to an element. A step of a state yields such actions one after another, so that the page can react
 * in between. Storefront tests perform them with a real pointer (`harness/awning_harness/visit/steps/visit_script.py`),
 * frames as `scripted_pointer.ts` does, and the gallery as `perform` does.
 */

/** `what` is what a shopper would call the element. To reach it is to be able to click it, without doing so. */
export type Action = { what: string; element: Element } & (
  | { kind: "press" }
  | { kind: "reach" }
  | { kind: "choose"; index: number }
  | { kind: "fill"; text: string }
);

export type Actions = Iterator<Action, void>;

export const press = (element: Element, what: string): Action => ({ kind: "press", element, what });
export const reach = (element: Element, what: string): Action => ({ kind: "reach", element, what });
export const choose = (element: Element, index: number, what: string): Action => ({ kind: "choose", element, index, what });
export const fill = (element: Element, text: string, what: string): Action => ({ kind: "fill", element, text, what });

/** Perform an action by scripted events. They do not notice when something covers the element, and take no focus. */
export function perform(action: Action): void {
  const { element } = action;
  const view = element.ownerDocument.defaultView as Window & typeof globalThis;
  const fire = (...names: string[]): void =>
    names.forEach((name) => void element.dispatchEvent(new view.Event(name, { bubbles: true, composed: true })));
  switch (action.kind) {
    case "press":
      (element as HTMLElement).click();
      break;
    case "reach":
      break;
    case "choose":
      (element as HTMLSelectElement).selectedIndex = action.index;
      fire("input", "change");
      break;
    case "fill": {
      const { maxLength = -1 } = element as HTMLInputElement;
      const text = maxLength < 0 ? action.text : action.text.slice(0, maxLength);
      if ("value" in element) element.value = text;
      else element.textContent = text;
      const typed = { bubbles: true, composed: true, inputType: "insertText", data: text };
      element.dispatchEvent(new view.InputEvent("input", typed));
      break;
    }
    default:
      action satisfies never;
  }
}
