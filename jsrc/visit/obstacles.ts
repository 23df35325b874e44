/** What keeps a shopper from an element, although it is visible. It may end by itself, so a step waits for that. */
import { optionOf } from "./fields.ts";

/** Return why a shopper cannot take a step at an element; "" when nothing is in the way. Without a verb, why no step. */
export function obstacleTo(element: Element, verb = "", argument = ""): string {
  const why = reasonAt(element, verb);
  if (why) return `a shopper cannot reach the element: ${why}`;
  const option = verb === "choose" && element.localName === "select" && optionOf(element as HTMLSelectElement, argument);
  return option && option.matches(":disabled") ? `a shopper cannot choose "${argument}": it is disabled` : "";
}

function reasonAt(element: Element, verb: string): string {
  if (element.matches(":disabled")) return "it is disabled";
  if (isInert(element)) return "it is inert";
  return verb === "type" && element.matches("[readonly]:is(input, textarea)") ? "it is read-only" : "";
}

/** Whether the browser ignores an element, by itself or around it. An open modal dialog makes everything around it inert. */
function isInert(element: Element): boolean {
  for (let next: Element | null = element; next; next = parentOf(next)) {
    if ((next as Partial<HTMLElement>).inert) return true;
    if (next.matches("dialog:modal")) return false;
  }
  return element.ownerDocument.querySelector("dialog:modal") !== null;
}

/** The element around another one, also around a shadow root. */
export function parentOf(element: Element): Element | null {
  return element.assignedSlot ?? element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host ?? null;
}
