/** linkedom's document as the global window. */
import { parseHTML } from "../vendor/linkedom-0.18.15.js";

export const { window: made, document } = parseHTML(
  '<!doctype html><html><head></head><body><div id="box"></div></body></html>',
);
export const html = document.documentElement;
export const { head, body } = document;

const CLASSES = [
  "Event", "CustomEvent", "EventTarget", "Node", "Element", "HTMLElement", "SVGElement", "Text", "Comment", "Attr",
  "DocumentFragment", "Document", "NodeList", "ShadowRoot", "CharacterData", "NodeFilter", "HTMLTemplateElement",
  "HTMLScriptElement", "HTMLInputElement", "HTMLSelectElement", "HTMLButtonElement", "HTMLAnchorElement",
  "HTMLImageElement", "HTMLFormElement", "HTMLDivElement", "HTMLTextAreaElement", "HTMLStyleElement",
  "HTMLLinkElement", "HTMLMetaElement", "HTMLIFrameElement", "HTMLCanvasElement", "HTMLVideoElement",
  "HTMLUnknownElement", "HTMLSlotElement", "HTMLOptionElement", "HTMLLabelElement", "HTMLSpanElement",
  "HTMLParagraphElement", "HTMLDetailsElement", "HTMLDialogElement", "HTMLBodyElement", "HTMLHtmlElement",
  "HTMLHeadElement", "HTMLTableElement",
];
const EVENTS = [
  "UIEvent", "MouseEvent", "KeyboardEvent", "FocusEvent", "InputEvent", "PointerEvent", "SubmitEvent", "MessageEvent",
  "PopStateEvent", "ErrorEvent", "StorageEvent", "HashChangeEvent",
];

/** An object whose members are changed by their names. */
export type Members = Record<PropertyKey, unknown>;
export type Method = (this: any, ...values: any[]) => unknown;

export const window = globalThis as unknown as Members;

/** The functions that are a browser's own. jQuery asks by its source whether a function is. */
const native = new WeakSet<object>();
const sourceOf = Function.prototype.toString;

export const isMethod = (value: unknown): value is Method => typeof value === "function";

/** Define a member as a browser has it: not enumerable, and native if it is a function. */
export function define(target: object, name: PropertyKey, value: unknown): void {
  if (isMethod(value)) {
    native.add(value);
  }
  Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
}

export function defineAccess(
  target: object,
  name: string,
  get: (this: any) => unknown,
  set?: (this: any, value: any) => void,
): void {
  Object.defineProperty(target, name, { get, ...(set && { set }), configurable: true, enumerable: true });
}

/** The prototypes of a value, the nearest first. */
export function* prototypesOf(value: object): Generator<object> {
  for (let at = Object.getPrototypeOf(value) as object | null; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object | null) {
    yield at;
  }
}

/** Count the methods of a prototype as native. */
export function countAsNative(prototype: object): void {
  for (const { value } of Object.values(Object.getOwnPropertyDescriptors(prototype)) as PropertyDescriptor[]) {
    if (isMethod(value)) {
      native.add(value);
    }
  }
}

Object.defineProperty(Function.prototype, "toString", {
  value(this: Method) {
    return native.has(this) ? `function ${this.name}() { [native code] }` : sourceOf.call(this);
  },
  writable: true,
  configurable: true,
});
for (const name of CLASSES) {
  if (made[name]) {
    define(window, name, made[name]);
  }
}
for (const name of ["window", "self", "top", "parent", "frames"]) {
  define(window, name, window);
}
define(window, "document", document);
define(window, "customElements", made.customElements);
define(window, "Document", made.Document);
define(window, "HTMLDocument", document.constructor);
// The emulator's own observers see nothing: `awning check` has no use for what they find.
define(
  window,
  "MutationObserver",
  class MutationObserver {
    observe(): void {}
    disconnect(): void {}
    takeRecords(): [] {
      return [];
    }
  },
);
define(window, "CSSStyleDeclaration", made.CSSStyleDeclaration ?? class CSSStyleDeclaration {});
for (const name of EVENTS) {
  const Kind = class extends Event {
    constructor(type: string, options?: EventInit) {
      super(type, options);
      Object.assign(this, options);
    }
  };
  define(window, name, Kind);
  Object.defineProperty(Kind, "name", { value: name });
}
