/**
 * Captures what the shopper did on the page, and restores it after new code is on the page or after a reload: fields,
 * opened details, scrolling, focus and selection. A state is plain JSON, so that it outlives the page.
 *
 * An element is found by a path of names and positions from the nearest element with an id or with a widget's class.
 */
import { elementsBelow } from "./listeners.ts";
import { useHtml } from "./trusted.ts";

/**
 * A step of a path: the key of an element, and its position among the siblings with this key. Or a selector and a
 * negative number, as `anchorOf` makes them.
 */
type Step = readonly [key: string, at: number];
/** The steps to an element; "#shadow" leads into its shadow root. */
type Path = readonly Step[];

type Part =
  | { kind: "value"; path: Path; value: string }
  | { kind: "checked"; path: Path; checked: boolean }
  | { kind: "options"; path: Path; chosen: number[] }
  | { kind: "file"; path: Path }
  | { kind: "password"; path: Path }
  | { kind: "edited"; path: Path; html: string }
  | { kind: "open"; path: Path; open: boolean }
  | { kind: "scroll"; path: Path; left: number; top: number }
  | { kind: "focus"; path: Path }
  | { kind: "caret"; path: Path; start: number; end: number; direction: "forward" | "backward" | "none" }
  | { kind: "marked"; path: Path; text: number; offset: number; endPath: Path; endText: number; endOffset: number };

export type ShopperState = Part[];

type Field = HTMLInputElement | HTMLTextAreaElement;

/** Whether to fire events for a field that has its value already, as if the shopper had just used it. */
type Fires = (field: Element) => boolean;

export function captureState(): ShopperState {
  const elements = elementsBelow(document.body).filter(isOfPage);
  const active = activeElement();
  return [
    ...elements.flatMap(partsOf),
    ...(active && isOfPage(active) ? focusParts(active) : []),
    ...markedText(),
    // A page that is not scrolled needs no position, and restoring one would make the browser lay out the page.
    ...(scrollX || scrollY ? [{ kind: "scroll" as const, path: [], left: scrollX, top: scrollY }] : []),
  ];
}

/**
 * The parts that are not restored. An awaited part has no fitting element yet. The element of a refused part takes
 * another value, throws, or cannot be filled by a script (a file, a password). A refused part is not tried again,
 * because that would call the element's handlers again.
 */
export interface Rest {
  awaited: ShopperState;
  refused: ShopperState;
}
type Result = "restored" | keyof Rest;

/** Restore the parts; return the rest. */
export function restoreState(state: ShopperState, fires: Fires): Rest {
  const rest: Rest = { awaited: [], refused: [] };
  for (const part of state) {
    const result = tryPart(part, fires);
    if (result !== "restored") rest[result].push(part);
  }
  return rest;
}

/**
 * Restore a part. A part that throws counts as refused: for example, the caret of a field that has become another type,
 * or HTML on a page with Trusted Types.
 */
function tryPart(part: Part, fires: Fires): Result {
  try {
    return restorePart(part, fires);
  } catch {
    return "refused";
  }
}

/** Return the parts in words, each once, such as `the text in "note"`. Scroll positions and carets are left out. */
export function describeLost(lost: ShopperState): string {
  // A page that has become shorter cannot be scrolled as far.
  const named = lost.filter((part) => part.kind !== "scroll" && part.kind !== "caret");
  return [...new Set(named.map(describe))].join(", ");
}

function isOfPage(element: Element): boolean {
  return element.localName !== "awning-inspector";
}

function partsOf(element: Element): Part[] {
  const parts: Part[] = [];
  if (element instanceof HTMLInputElement) parts.push(...inputParts(element));
  if (element instanceof HTMLTextAreaElement && element.value !== element.defaultValue) {
    parts.push({ kind: "value", path: pathOf(element), value: element.value });
  }
  if (element instanceof HTMLSelectElement && isChanged(element)) {
    const chosen = [...element.options].flatMap((option, i) => (option.selected ? [i] : []));
    parts.push({ kind: "options", path: pathOf(element), chosen });
  }
  if (edited.has(element)) parts.push({ kind: "edited", path: pathOf(element), html: element.innerHTML });
  if (element instanceof HTMLDetailsElement) parts.push({ kind: "open", path: pathOf(element), open: element.open });
  if (isScrolled(element)) {
    parts.push({ kind: "scroll", path: pathOf(element), left: element.scrollLeft, top: element.scrollTop });
  }
  return parts;
}

/** The elements with `contenteditable` into which the shopper typed. */
const edited = new WeakSet<EventTarget>();
addEventListener("input", (event) => {
  const [target] = event.composedPath();
  if (target instanceof HTMLElement && target.isContentEditable) edited.add(target);
}, true);

/**
 * The elements that were scrolled. Reading the positions of all elements would make the browser lay out the page.
 * Elements in shadow roots are missing here, because their scroll events do not leave the shadow root. Their positions
 * are always read.
 */
const scrolled = new WeakSet<EventTarget>();
document.addEventListener("scroll", ({ target }) => target && scrolled.add(target), true);

function isScrolled(element: Element): boolean {
  if (element === document.body || !(scrolled.has(element) || element.getRootNode() instanceof ShadowRoot)) return false;
  return element.scrollTop !== 0 || element.scrollLeft !== 0;
}

function isChanged({ options, multiple }: HTMLSelectElement): boolean {
  const isNamed = [...options].some((option) => option.defaultSelected);
  const byDefault = (option: HTMLOptionElement, i: number): boolean =>
    isNamed ? option.defaultSelected : !multiple && i === 0;
  return [...options].some((option, i) => option.selected !== byDefault(option, i));
}

function inputParts(input: HTMLInputElement): Part[] {
  const { type, checked, defaultChecked, value, defaultValue } = input;
  if (type === "checkbox" || type === "radio") {
    const isChosen = type === "radio" ? checked && !defaultChecked : checked !== defaultChecked;
    return isChosen ? [{ kind: "checked", path: pathOf(input), checked }] : [];
  }
  if (type === "file") return input.files?.length ? [{ kind: "file", path: pathOf(input) }] : [];
  // A state is stored over a reload, and the storage is no place for a password.
  if (type === "password") return value === defaultValue ? [] : [{ kind: "password", path: pathOf(input) }];
  const isTyped = !["hidden", "button", "submit", "reset", "image"].includes(type);
  return isTyped && value !== defaultValue ? [{ kind: "value", path: pathOf(input), value }] : [];
}

/** Return the focused element, also one in a shadow root. */
function activeElement(): Element | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement && isOfPage(active)) active = active.shadowRoot.activeElement;
  return active === document.body ? null : active;
}

function focusParts(active: Element): Part[] {
  const path = pathOf(active);
  const caret = caretOf(active);
  return [{ kind: "focus", path }, ...(caret ? [{ kind: "caret" as const, path, ...caret }] : [])];
}

function caretOf(element: Element): { start: number; end: number; direction: "forward" | "backward" | "none" } | null {
  if (!isField(element) || element.selectionStart === null || element.selectionEnd === null) return null;
  return { start: element.selectionStart, end: element.selectionEnd, direction: element.selectionDirection ?? "none" };
}

const isField = (element: Element): element is Field =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;

/** Return the selected text of the page, or the caret in an editable element. Selections in fields are left out. */
function markedText(): Part[] {
  const selection = getSelection();
  const isEdited = document.activeElement instanceof HTMLElement && document.activeElement.isContentEditable;
  const range = selection?.rangeCount && (isEdited || !selection.isCollapsed) ? selection.getRangeAt(0) : null;
  if (!range || !(range.startContainer instanceof Text) || !(range.endContainer instanceof Text)) return [];
  const [start, end] = [range.startContainer, range.endContainer];
  if (!start.parentElement || !end.parentElement) return [];
  return [
    {
      kind: "marked",
      path: pathOf(start.parentElement),
      text: [...start.parentElement.childNodes].indexOf(start),
      offset: range.startOffset,
      endPath: pathOf(end.parentElement),
      endText: [...end.parentElement.childNodes].indexOf(end),
      endOffset: range.endOffset,
    },
  ];
}

function restorePart(part: Part, fires: Fires): Result {
  if (part.kind === "scroll" && part.path.length === 0) return scrollPage(part);
  const element = elementAt(part.path);
  if (!element) return "awaited";
  const restore = RESTORERS[part.kind] as (part: Part, element: Element, used: Used) => Result;
  return restore(part, element, (isSame, ...events) => {
    if (!isSame || fires(element)) for (const name of events) element.dispatchEvent(new Event(name, { bubbles: true, composed: true }));
  });
}

/** Tells handlers that the shopper used a field. `isSame` is whether it had the value already. */
type Used = (isSame: boolean, ...events: string[]) => void;
type Restore<Kind extends Part["kind"]> = (part: Extract<Part, { kind: Kind }>, element: Element, used: Used) => Result;

/** How each kind of part is restored. If the element has another type than before, the part stays awaited. */
const RESTORERS: { readonly [Kind in Part["kind"]]: Restore<Kind> } = {
  value({ value }, element, used) {
    if (!isField(element)) return "awaited";
    const isSame = element.value === value;
    if (!isSame) element.value = value;
    // The value is read before the handlers run, because they may change it.
    const isTaken = element.value === value;
    used(isSame, "input");
    return isTaken ? "restored" : "refused";
  },
  checked({ checked }, element, used) {
    if (!(element instanceof HTMLInputElement)) return "awaited";
    const isSame = element.checked === checked;
    element.checked = checked;
    used(isSame, "input", "change");
    return "restored";
  },
  options({ chosen }, element, used) {
    if (!(element instanceof HTMLSelectElement) || chosen.some((i) => i >= element.options.length)) return "awaited";
    const options = [...element.options];
    const isSame = options.every((option, i) => option.selected === chosen.includes(i));
    if (!isSame) options.forEach((option, i) => (option.selected = chosen.includes(i)));
    used(isSame, "input", "change");
    return "restored";
  },
  edited({ html }, element, used) {
    const isSame = element.innerHTML === html;
    if (!isSame) useHtml(html, (text) => (element.innerHTML = text));
    edited.add(element);
    used(isSame, "input");
    return "restored";
  },
  file: (_part, element) => (element instanceof HTMLInputElement && element.files?.length ? "restored" : "refused"),
  password(_part, element, used) {
    const isKept = element instanceof HTMLInputElement && element.value !== element.defaultValue;
    if (isKept) used(true, "input");
    return isKept ? "restored" : "refused";
  },
  open({ open }, element) {
    if (!(element instanceof HTMLDetailsElement)) return "awaited";
    element.open = open;
    return "restored";
  },
  scroll({ left, top }, element) {
    element.scrollTo({ left, top, behavior: "instant" });
    return "restored";
  },
  focus(_part, element) {
    if (element instanceof HTMLElement && activeElement() !== element) element.focus({ preventScroll: true });
    return activeElement() === element ? "restored" : "awaited";
  },
  caret({ start, end, direction }, element) {
    if (!isField(element)) return "awaited";
    const now = caretOf(element);
    if (now?.start !== start || now.end !== end) element.setSelectionRange(start, end, direction);
    return "restored";
  },
  marked: (part, element) => (mark(element, part) ? "restored" : "awaited"),
};

function scrollPage({ left, top }: { left: number; top: number }): Result {
  if (scrollX !== left || scrollY !== top) scrollTo({ left, top, behavior: "instant" });
  return Math.abs(scrollY - top) < 1 ? "restored" : "awaited";
}

function mark(element: Element, part: Extract<Part, { kind: "marked" }>): boolean {
  const [start, end] = [element.childNodes[part.text], elementAt(part.endPath)?.childNodes[part.endText]];
  if (!(start instanceof Text) || !(end instanceof Text)) return false;
  const selection = getSelection();
  if (part.offset > start.length || part.endOffset > end.length) return false;
  const range = selection?.rangeCount ? selection.getRangeAt(0) : null;
  const isMarked = range?.startContainer === start && range.startOffset === part.offset && range.endContainer === end && range.endOffset === part.endOffset;
  if (!isMarked) selection?.setBaseAndExtent(start, part.offset, end, part.endOffset);
  return true;
}

const WIDGET_CLASS = /(?:^|\s)(aw-[0-9a-f]+)(?:\s|$)/;
const SHADOW = "#shadow";

/**
 * Return a step that finds an element from the root of its tree (the document or a shadow root): by its id or by the
 * class of a widget, if that is unique in the tree; else null. The name of the class changes with the app's title, so
 * the step also has the number of the widget in the tree: -1 for the first, -2 for the second.
 */
function anchorOf(element: Element): Step | null {
  const root = element.getRootNode() as ParentNode;
  const widget = WIDGET_CLASS.exec(element.getAttribute("class") ?? "")?.[1];
  const selector = element.id ? `#${CSS.escape(element.id)}` : widget ? `.${widget}` : null;
  if (!selector || root.querySelectorAll(selector).length !== 1) return null;
  return [selector, -1 - Math.max(0, widgetsIn(root).indexOf(element))];
}

function widgetsIn(root: ParentNode): Element[] {
  return [...root.querySelectorAll("[class*=aw-]")].filter((element) => WIDGET_CLASS.test(element.getAttribute("class") ?? ""));
}

function keyOf(element: Element): string {
  const named = element.getAttribute("data-key") ?? element.getAttribute("name") ?? element.getAttribute("data-option");
  const value = element instanceof HTMLInputElement && element.type === "radio" ? `=${element.value}` : "";
  return `${element.localName}:${named ?? ""}${value}`;
}

function pathOf(element: Element): Path {
  const anchor = anchorOf(element);
  const parent = element.parentNode;
  const own: Step = anchor ?? [keyOf(element), [...(parent?.children ?? [])].filter((other) => keyOf(other) === keyOf(element)).indexOf(element)];
  if (anchor ? element.getRootNode() instanceof Document : !parent || parent instanceof Document) return [own];
  const root = anchor ? element.getRootNode() : parent;
  if (root instanceof ShadowRoot) return [...pathOf(root.host), [SHADOW, 0], own];
  return [...pathOf(root as Element), own];
}

function elementAt(path: Path): Element | null {
  let at: ParentNode | null = document;
  for (const [key, position] of path) {
    if (!at) return null;
    if (key === SHADOW) at = at instanceof Element ? at.shadowRoot : null;
    else if (position < 0) at = at.querySelector(key) ?? (key.startsWith(".") ? (widgetsIn(at)[-1 - position] ?? null) : null);
    else at = [...at.children].filter((child) => keyOf(child) === key)[position] ?? null;
  }
  return at instanceof Element ? at : null;
}

function describe(part: Part): string {
  const element = part.path.map(([key]) => key.replace(/^\w+:$|^#shadow$/, "")).filter(Boolean).at(-1) ?? "";
  const name = element.replace(/^[\w-]+:/, "").replace(/=.*/, "");
  const of = name ? ` "${name}"` : "";
  const words: Record<Part["kind"], string> = {
    value: `the text in${of || " a field"}`,
    checked: `the choice${of}`,
    options: `the choice${of}`,
    edited: `the text in${of || " an editable element"}`,
    file: `the chosen file${of}`,
    password: `the password${of}`,
    open: `an opened or closed part${of}`,
    scroll: `a scroll position${of}`,
    focus: `the focus${of}`,
    caret: `the caret${of}`,
    marked: "the marked text",
  };
  return words[part.kind];
}
