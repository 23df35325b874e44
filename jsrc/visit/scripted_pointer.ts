/**
 * Performs an action as a shopper with a pointer does, by scripted events: the element is in view, nothing covers it, and
 * it gets the focus. Unlike a real pointer, this one hovers over nothing, and the browser does not take it for a person.
 */
import { perform, type Action } from "./actions.ts";

const POLL_MS = 10;
const LONGEST_COVER = 120;

/** Perform an action, as soon as the element can be reached. Throws why it cannot be reached within `within` milliseconds. */
export async function performWithPointer(action: Action, within: number): Promise<void> {
  const { element, kind } = action;
  if (kind === "press" || kind === "reach") {
    const hit = await reached(action, within);
    if (kind === "press") {
      press(hit);
      await new Promise((done) => setTimeout(done, 0)); // what the page does with the click may move the focus
      hideFocus(element.ownerDocument);
    }
    return;
  }
  focus(element);
  perform(action);
}

/** Wait until a pointer reaches an element. Return what is under the pointer: the element, or something inside it. */
async function reached({ element, what }: Action, within: number): Promise<Element> {
  for (const end = performance.now() + within; ; ) {
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
    const hit = under(element);
    if (hit && isWithin(hit, element)) return hit;
    if (performance.now() > end) throw `a shopper cannot reach ${what}: ${hit ? `${tagOf(hit)} covers it` : "it cannot be clicked"}`;
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

/** The element under the middle of `element`, also in open shadow roots. */
function under(element: Element): Element | null {
  const { left, top, width, height } = element.getClientRects()[0] ?? { left: 0, top: 0, width: 0, height: 0 };
  if (!width || !height) return null;
  let hit: Element | null = null;
  for (let root: DocumentOrShadowRoot | null = element.ownerDocument; root; root = hit?.shadowRoot ?? null) {
    const inner = root.elementFromPoint(left + width / 2, top + height / 2);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

function isWithin(inner: Element, element: Element): boolean {
  for (let next: Element | null = inner; next; next = parentOf(next)) if (next === element) return true;
  return false;
}

function parentOf(element: Element): Element | null {
  return element.assignedSlot ?? element.parentElement ?? (element.getRootNode() as Partial<ShadowRoot>).host ?? null;
}

function tagOf(element: Element): string {
  const copy = element.cloneNode(false) as Element;
  copy.removeAttribute("style");
  const tag = copy.outerHTML;
  return tag.length > LONGEST_COVER ? `${tag.slice(0, LONGEST_COVER)}…` : tag;
}

function press(hit: Element): void {
  const view = hit.ownerDocument.defaultView as Window & typeof globalThis;
  const { left, top, width, height } = hit.getBoundingClientRect();
  const at = { bubbles: true, cancelable: true, composed: true, view, clientX: left + width / 2, clientY: top + height / 2 };
  const pointer = { ...at, pointerId: 1, pointerType: "mouse", isPrimary: true };
  const fire = (event: Event): boolean => hit.dispatchEvent(event);
  const isDown = fire(new view.PointerEvent("pointerdown", { ...pointer, buttons: 1 }));
  const mayFocus = !isDown || fire(new view.MouseEvent("mousedown", { ...at, buttons: 1, detail: 1 }));
  if (mayFocus) focus(hit);
  fire(new view.PointerEvent("pointerup", pointer));
  if (isDown) fire(new view.MouseEvent("mouseup", { ...at, detail: 1 }));
  fire(new view.PointerEvent("click", { ...pointer, detail: 1 }));
}

/** Give the focus to the innermost element around `element` that takes it; take it from every element when none does. */
function focus(element: Element): void {
  const page = element.ownerDocument;
  for (let next: Element | null = element; next; next = parentOf(next)) {
    const before = activeIn(page);
    // `focusVisible` is not in TypeScript's library yet. A pointer gives a button the focus without showing it.
    (next as HTMLElement).focus?.({ preventScroll: true, ...{ focusVisible: isWritten(next) } });
    const after = activeIn(page);
    if (after !== before || after === next) return;
  }
  (page.activeElement as HTMLElement | null)?.blur();
}

const OF_FOCUS = ["blur", "focus", "focusin", "focusout"];

/**
 * Do not show the focus that the page has moved because of a click, to a dialog for example. The browser shows it only if
 * a person uses the keyboard. The page gets no events of this, because for the page the focus stays where it is.
 */
function hideFocus(page: Document): void {
  const active = activeIn(page) as HTMLElement | null;
  if (!active?.matches(":focus-visible") || isWritten(active)) return;
  const stop = (event: Event): void => event.stopImmediatePropagation();
  for (const name of OF_FOCUS) page.defaultView?.addEventListener(name, stop, true);
  active.blur();
  active.focus({ preventScroll: true, ...{ focusVisible: false } });
  for (const name of OF_FOCUS) page.defaultView?.removeEventListener(name, stop, true);
}

function isWritten(element: Element): boolean {
  return element.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=button], [type=submit])") || (element as HTMLElement).isContentEditable;
}

/** The element with the focus, also in open shadow roots. */
function activeIn(page: Document): Element | null {
  let active = page.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}
