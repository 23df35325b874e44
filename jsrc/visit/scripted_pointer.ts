/**
 * Performs an action as a shopper with a pointer does, by scripted events: the element is in view, nothing covers it, and
 * it gets the focus. Unlike a real pointer, this one hovers over nothing, and the browser does not take it for a person.
 * In the gallery, an element need not be in view, and gets the events of the focus, but not the focus itself.
 */
import { viewOf, type Action, type Pointer } from "./actions.ts";
import { parentOf } from "./obstacles.ts";

const POLL_MS = 10;
/** How often an element is looked at in one place: what covers it may be about to leave. */
const TRIES = 10;
/** Where an element is scrolled to, one after the other: what covers it here, a fixed header for example, may not there. */
const PLACES: readonly ScrollLogicalPosition[] = ["nearest", "center", "end", "start"];
const LONGEST_COVER = 120;

/** Perform an action, as soon as the element can be reached. Throws why it cannot be reached within `within` milliseconds. */
export async function performWithPointer(action: Action, within: number): Promise<void> {
  if (action.isField) {
    focus(action.element);
    action.perform?.(pointerOver(action.element, CORNER, focus));
    return;
  }
  const pointer = await reached(action, within);
  if (!action.perform) return;
  action.perform(pointer);
  await new Promise((done) => setTimeout(done, 0)); // what the page does with the click may move the focus
  hideFocus(action.element.ownerDocument);
}

/** Perform an action wherever its element is. The page does not scroll, and the focus stays in the page around it. */
export function performInPlace({ element, isField, perform }: Action): void {
  if (isField) fireFocus(element);
  perform?.(pointerOver(element, middleOf(element) ?? CORNER, fireFocus));
}

interface Point {
  clientX: number;
  clientY: number;
}

const CORNER: Point = { clientX: 0, clientY: 0 };

/** Wait until a pointer reaches an element. Return the pointer, which is over the element or something inside it. */
async function reached({ element, what }: Action, within: number): Promise<Pointer> {
  const end = performance.now() + within;
  for (let attempt = 0; ; attempt += 1) {
    const place = PLACES[Math.floor(attempt / TRIES) % PLACES.length] as ScrollLogicalPosition;
    element.scrollIntoView({ block: place, inline: "nearest", behavior: "instant" });
    const at = middleOf(element);
    const hit = at && under(element.ownerDocument, at);
    if (hit && isWithin(hit, element)) return pointerOver(hit, at, focus);
    if (performance.now() > end) throw `a shopper cannot reach ${what}: ${hit ? `${tagOf(hit)} covers it` : "it cannot be clicked"}`;
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

/** The middle of the first of an element's boxes that has an area. A text that wraps has several. */
function middleOf(element: Element): Point | null {
  const box = [...element.getClientRects()].find(({ width, height }) => width && height);
  return box ? { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 } : null;
}

/** The element at a point, also in open shadow roots. */
function under(page: Document, { clientX, clientY }: Point): Element | null {
  let hit: Element | null = null;
  for (let root: DocumentOrShadowRoot | null = page; root; root = hit?.shadowRoot ?? null) {
    const inner = root.elementFromPoint(clientX, clientY);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

function isWithin(inner: Element, element: Element): boolean {
  for (let next: Element | null = inner; next; next = parentOf(next)) if (next === element) return true;
  return false;
}

function tagOf(element: Element): string {
  const copy = element.cloneNode(false) as Element;
  copy.removeAttribute("style");
  const tag = copy.outerHTML;
  return tag.length > LONGEST_COVER ? `${tag.slice(0, LONGEST_COVER)}…` : tag;
}

/** `give` gives an element the focus. */
function pointerOver(hit: Element, point: Point, give: (element: Element) => void): Pointer {
  const view = viewOf(hit);
  const at = { ...point, bubbles: true, cancelable: true, composed: true, view };
  const primary = { ...at, pointerId: 1, pointerType: "mouse", isPrimary: true };
  const fire = (event: Event): boolean => hit.dispatchEvent(event);
  return {
    press(detail = 1) {
      const isDown = fire(new view.PointerEvent("pointerdown", { ...primary, buttons: 1 }));
      const mayFocus = !isDown || fire(new view.MouseEvent("mousedown", { ...at, buttons: 1, detail }));
      if (mayFocus) give(hit);
      fire(new view.PointerEvent("pointerup", primary));
      if (isDown) fire(new view.MouseEvent("mouseup", { ...at, detail }));
      fire(new view.PointerEvent("click", { ...primary, detail }));
    },
    fire: (name, detail) => void fire(new view.MouseEvent(name, { ...at, detail })),
  };
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

/** The elements that have got the events of the focus last, by page. */
const focused = new WeakMap<Document, Element | null>();

/** Fire the events of a focus that moves to the innermost element around `element` that takes it, and leave it where it is. */
function fireFocus(element: Element): void {
  const page = element.ownerDocument;
  let next: Element | null = element;
  while (next && !takesFocus(next)) next = parentOf(next);
  const before = focused.get(page) ?? null;
  if (before === next) return;
  focused.set(page, next);
  const { FocusEvent } = viewOf(element);
  const fire = (target: Element | null, name: string, bubbles: boolean, relatedTarget: Element | null): void => {
    target?.dispatchEvent(new FocusEvent(name, { bubbles, composed: true, relatedTarget }));
  };
  fire(before, "blur", false, next);
  fire(before, "focusout", true, next);
  fire(next, "focus", false, before);
  fire(next, "focusin", true, before);
}

function takesFocus(element: Element): boolean {
  const { tabIndex, isContentEditable } = element as HTMLElement;
  return tabIndex >= 0 || element.hasAttribute("tabindex") || isContentEditable;
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
