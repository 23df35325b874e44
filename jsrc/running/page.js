// The page: linkedom's document as the global window, with what linkedom lacks and scripts need. Known-wrong members end
// the run (`notLookedAt`).
import { parseHTML, DOMParser as Parser } from "../vendor/linkedom-0.18.15.js";
import { again, cancel, later, state, time } from "./clock.js";

export const input = { elements: true, answers: true, stored: null, early: false };
export const findings = [];
/** `add` is called before a listener of an event of the service is added. */
export const hearing = { add(_type) {} };
export const acted = [];
export const outcome = { left: "", failures: [], judged: new Set() };

/** A rule is broken at the place of the running code. */
export function report(rule, message, more = {}) {
  if (!outcome.left && findings.length < 400) findings.push({ rule, message, at: state.at, ...more });
}
export const early = { lists: new WeakMap(), last: undefined };
export class NotLookedAt extends Error {}
export function notLookedAt(what) {
  outcome.left ||= what;
  throw new NotLookedAt(what);
}
export function attempt(work) {
  try {
    return work();
  } catch (error) {
    failed(error);
  }
}
/** Remember an exception that nothing caught. `missing` is whether it may come from a look-up that was too early. */
export function failed(error) {
  if (outcome.left || outcome.failures.length >= 50) return;
  const message = String((error && error.message) || error);
  outcome.failures.push({ message, at: state.at, missing: early.last !== undefined, ...early.last });
}

const { window: made, document } = parseHTML("<!doctype html><html><head></head><body><div id=\"box\"></div></body></html>");
export { document };
const html = document.documentElement;
export const head = document.head;
export const body = document.body;
const names = [
  "Event", "CustomEvent", "EventTarget", "Node", "Element", "HTMLElement", "SVGElement", "Text", "Comment", "Attr", "DocumentFragment", "Document", "NodeList",
  "ShadowRoot", "CharacterData", "NodeFilter", "HTMLTemplateElement", "HTMLScriptElement", "HTMLInputElement", "HTMLSelectElement", "HTMLButtonElement",
  "HTMLAnchorElement", "HTMLImageElement", "HTMLFormElement", "HTMLDivElement", "HTMLTextAreaElement", "HTMLStyleElement", "HTMLLinkElement", "HTMLMetaElement",
  "HTMLIFrameElement", "HTMLCanvasElement", "HTMLVideoElement", "HTMLUnknownElement", "HTMLSlotElement", "HTMLOptionElement", "HTMLLabelElement", "HTMLSpanElement",
  "HTMLParagraphElement", "HTMLDetailsElement", "HTMLDialogElement", "HTMLBodyElement", "HTMLHtmlElement", "HTMLHeadElement", "HTMLTableElement",
];
const native = new WeakSet();
const toString = Function.prototype.toString;
/** jQuery asks by its source whether a function is the browser's own. */
Object.defineProperty(Function.prototype, "toString", {
  value() { return native.has(this) ? `function ${this.name}() { [native code] }` : toString.call(this); }, writable: true, configurable: true,
});
const isFunction = (value) => typeof value === "function";
const define = (target, name, value) => (isFunction(value) && native.add(value), Object).defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
for (const name of names) if (made[name]) define(globalThis, name, made[name]);
for (const name of ["window", "self", "top", "parent", "frames"]) define(globalThis, name, globalThis);
define(globalThis, "document", document);
define(globalThis, "customElements", made.customElements);
// The emulator's own observers see nothing: `awning check` has no use for what they find.
define(globalThis, "MutationObserver", class MutationObserver { observe() {} disconnect() {} takeRecords() { return []; } });
define(globalThis, "CSSStyleDeclaration", made.CSSStyleDeclaration ?? class CSSStyleDeclaration {});
for (const name of ["UIEvent", "MouseEvent", "KeyboardEvent", "FocusEvent", "InputEvent", "PointerEvent", "SubmitEvent", "MessageEvent", "PopStateEvent", "ErrorEvent", "StorageEvent", "HashChangeEvent"]) {
  define(globalThis, name, class extends Event { constructor(type, options) { super(type, options); Object.assign(this, options); } });
  Object.defineProperty(globalThis[name], "name", { value: name });
}

// Listeners. linkedom's dispatch ends at the first exception and forgets the target.
const listeners = new WeakMap();
const done = new Set(["DOMContentLoaded", "load", "readystatechange", "pageshow", "error"]);
const parentOf = (node) => (node === document ? globalThis : (node.parentNode ?? (node.host || null)));
const methods = {
  addEventListener(type, listener, options) {
    const target = this ?? globalThis;
    if (!listener) return;
    if (input.prefix && String(type).startsWith(input.prefix)) hearing.add(String(type));
    if (!listeners.has(target)) listeners.set(target, []);
    const list = listeners.get(target);
    const capture = options === true || (options && !!options.capture) || false;
    if (list.some((one) => one.type === String(type) && one.listener === listener && one.capture === capture)) return;
    list.push({ type: String(type), listener, capture, once: !!(options && options.once), at: state.at });
    if (!/^svc-/.test(type) && !done.has(String(type))) acted.push({ target, type: String(type) });
  },
  removeEventListener(type, listener) {
    const target = this ?? globalThis;
    const list = listeners.get(target) ?? [];
    listeners.set(target, list.filter((one) => one.type !== String(type) || one.listener !== listener));
  },
  dispatchEvent(event) {
    const target = this ?? globalThis;
    const set = (name, value) => Object.defineProperty(event, name, { value, writable: true, configurable: true });
    set("target", target);
    set("srcElement", target);
    set("isTrusted", false);
    const path = [];
    for (let at = target; at; at = event.bubbles || at === target ? parentOf(at) : null) {
      path.push(at);
      if (!event.bubbles) break;
    }
    event.composedPath = () => path;
    for (const at of path) {
      set("currentTarget", at);
      for (const one of [...(listeners.get(at) ?? [])]) {
        if (event._stopImmediatePropagationFlag) break;
        if (one.type !== event.type || !listeners.get(at).includes(one)) continue;
        if (one.once) methods.removeEventListener.call(at, one.type, one.listener);
        attempt(() => (typeof one.listener === "function" ? one.listener.call(at, event) : one.listener.handleEvent(event)));
      }
      const handler = at[`on${event.type}`];
      // linkedom keeps the handlers of elements as listeners.
      const kept = (listeners.get(at) ?? []).some((one) => one.type === event.type && one.listener === handler);
      if (typeof handler === "function" && !kept) attempt(() => handler.call(at, event));
      if (event.cancelBubble) break;
    }
    set("currentTarget", null);
    return !event.defaultPrevented;
  },
};
Object.assign(EventTarget.prototype, methods);
for (const name of Object.keys(methods)) define(globalThis, name, methods[name]);
for (const [name, method] of Object.entries(methods)) {
  define(made.EventTarget.prototype, name, method);
  define(Object.getPrototypeOf(made.Node.prototype), name, method);
}
define(globalThis, "emptyTarget", undefined);

// The document.
let readyState = "loading";
export const setReadyState = (value) => { readyState = value; };
const own = (target, name, get, set) => Object.defineProperty(target, name, { get, set, configurable: true, enumerable: true });
own(document, "readyState", () => readyState);
own(document, "body", () => { if (input.early) early.last = { lookup: "document.body", by: "" }; return input.early ? null : body; }, () => notLookedAt("document.body ="));
own(document, "head", () => head);
own(document, "defaultView", () => globalThis);
let script = null;
export const setCurrentScript = (element) => { script = element; };
own(document, "currentScript", () => script);
own(document, "activeElement", () => (input.early ? null : body));
own(document, "URL", () => location.href);
own(document, "baseURI", () => location.href);
own(document, "referrer", () => "");
own(document, "hidden", () => false);
own(document, "visibilityState", () => "visible");
own(document, "location", () => location, () => {});
own(document, "compatMode", () => "CSS1Compat");
own(document, "characterSet", () => "UTF-8");
own(document, "scrollingElement", () => html);
own(document, "forms", () => document.getElementsByTagName("form"));
own(document, "images", () => document.getElementsByTagName("img"));
own(document, "scripts", () => document.getElementsByTagName("script"));
own(document, "links", () => document.getElementsByTagName("a"));
own(document, "styleSheets", () => notLookedAt("document.styleSheets"));
own(document, "fonts", () => ({ ready: Promise.resolve(), load: () => Promise.resolve([]), check: () => true }));
let cookie = "";
own(document, "cookie", () => cookie, (text) => { cookie = cookie ? `${cookie}; ${String(text).split(";")[0]}` : String(text).split(";")[0]; });
let title = "Shop";
own(document, "title", () => title, (text) => { title = String(text); });
const write = (name) => (...texts) => {
  report("document-write", "document.write replaces or blocks the page");
  sink(texts.join(""), `document.${name}()`);
};
define(document, "write", write("write"));
define(document, "writeln", write("writeln"));
define(document, "open", () => notLookedAt("document.open()"));
define(document, "close", () => {});
define(document, "hasFocus", () => true);
define(document, "execCommand", () => false);
define(document, "elementFromPoint", () => body);
define(document, "getSelection", () => notLookedAt("getSelection()"));
define(document, "contains", (node) => { for (let at = node; at; at = at.parentNode) if (at === document) return true; return false; });
define(document, "adoptNode", (node) => node);
define(document, "implementation", {
  createHTMLDocument: (title) => new Parser().parseFromString(`<!doctype html><html><head><title>${title ?? ""}</title></head><body></body></html>`, "text/html"),
  hasFeature: () => true,
});
define(globalThis, "Document", made.Document);
define(globalThis, "HTMLDocument", document.constructor);

// HTML.
export const sink = (text, where) => {
  const html = String(text);
  for (const known of outcome.judged) if (known && html.includes(known)) return;
  if (/aw\d+[ <%&+]/i.test(html) || /<aw\d/i.test(html)) report("raw-html", where, { html: html.slice(0, 20000) });
};
function chain(prototype, name) {
  for (let at = prototype; at; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, name);
    if (found) return { at, found };
  }
  return null;
}
for (const Class of [Element, HTMLElement, ...names.filter((name) => /^HTML.*Element$/.test(name)).map((name) => globalThis[name]), globalThis.ShadowRoot]) {
  if (!Class) continue;
  for (const name of ["innerHTML", "outerHTML"]) {
    const found = Object.getOwnPropertyDescriptor(Class.prototype, name);
    if (found && found.set && !found.set.watched) {
      const set = function (value) {
        const text = value === null && name === "innerHTML" ? "" : String(value);
        sink(text, name);
        const at = state.at;
        found.set.call(this, text);
        state.at = at;
      };
      set.watched = true;
      Object.defineProperty(Class.prototype, name, { ...found, set, configurable: true });
    }
  }
}
const insertAdjacent = Element.prototype.insertAdjacentHTML;
define(Element.prototype, "insertAdjacentHTML", function (where, html) {
  sink(html, "insertAdjacentHTML()");
  if (!this.parentNode && /^(?:before|after)(?:begin|end)$/.test(where) && !/begin|end/.test(where.slice(6))) return undefined;
  return insertAdjacent.call(this, where, String(html));
});
const parsed = new WeakMap();
define(globalThis, "DOMParser", class DOMParser {
  parseFromString(text, type) {
    const found = /html/.test(type) ? `<!doctype html><html><head></head><body>${text}</body></html>` : text;
    const made = new Parser().parseFromString(found, type);
    if (/html/.test(type)) parsed.set(made, String(text));
    return made;
  }
});
const markedOf = (node) => {
  const text = node && typeof node === "object" && node.ownerDocument ? parsed.get(node.ownerDocument) : undefined;
  return text;
};
Object.defineProperty(HTMLElement.prototype, "innerText", {
  get() { return this.textContent; }, set(value) { this.textContent = value; }, configurable: true,
});

// Scripts that are inserted, images: they load or fail later.
const loads = (element) => later(() => element.dispatchEvent(new Event(input.answers ? "load" : "error")), 5);
const setAttribute = Element.prototype.setAttribute;
const inserted = (node) => {
  for (const one of node && node.nodeType === 1 ? [node, ...node.querySelectorAll("script,link,iframe")] : []) {
    if ((one.localName === "script" && one.getAttribute("src")) || (one.localName === "link" && one.getAttribute("href")) || one.localName === "iframe") {
      if (!one.__loads) { define(one, "__loads", true); loads(one); }
    } else if (one.localName === "script" && one.textContent.trim() && !one.__ran && (!one.type || /javascript/.test(one.type))) {
      notLookedAt("a script that is inserted");
    }
  }
};
const holders = new Set();
for (let at of [HTMLElement, Text, DocumentFragment].map((Class) => Class.prototype)) for (; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) holders.add(at);
let depth = 0;
for (const prototype of holders) {
  for (const name of ["append", "appendChild", "prepend", "insertBefore", "replaceWith", "replaceChild", "replaceChildren", "before", "after"]) {
    const found = Object.getOwnPropertyDescriptor(prototype, name);
    if (!found || typeof found.value !== "function") continue;
    define(prototype, name, function (...nodes) {
      if (depth) return found.value.apply(this, nodes);
      for (const node of nodes) {
        const text = markedOf(node);
        if (text !== undefined) sink(text, `${name}()`);
      }
      let result;
      depth += 1;
      try {
        result = found.value.apply(this, nodes);
      } finally {
        depth -= 1;
      }
      for (const node of nodes) if (node && node.isConnected) inserted(node);
      return result;
    });
  }
}
Object.defineProperty(HTMLImageElement.prototype, "src", {
  get() { return this.getAttribute("src") ?? ""; },
  set(value) { setAttribute.call(this, "src", String(value)); loads(this); },
  configurable: true,
});
define(globalThis, "Image", function Image() { return document.createElement("img"); });

// Known-wrong members.
const wrong = (Class, name, kind) => {
  if (!Class) return;
  const found = chain(Class.prototype, name);
  const touch = function () { return notLookedAt(`${this.localName}.${name}`); };
  Object.defineProperty(Class.prototype, name, kind === "set"
    ? { get: found && found.found.get, set: touch, configurable: true }
    : { get: touch, set: touch, configurable: true });
};
wrong(globalThis.HTMLSelectElement, "selectedIndex");
wrong(globalThis.HTMLSelectElement, "selectedOptions");
const fixed = { offsetWidth: 100, offsetHeight: 20, offsetTop: 0, offsetLeft: 0, clientWidth: 100, clientHeight: 20, clientTop: 0, clientLeft: 0, scrollWidth: 100, scrollHeight: 20 };
for (const [name, value] of Object.entries(fixed)) own(Element.prototype, name, () => value);
for (const name of ["scrollTop", "scrollLeft"]) own(Element.prototype, name, () => 0, () => {});
own(Element.prototype, "offsetParent", function () { return this.parentNode; });
const rect = () => ({ top: 0, left: 0, width: 100, height: 20, bottom: 20, right: 100, x: 0, y: 0 });
define(Element.prototype, "getBoundingClientRect", rect);
define(Element.prototype, "getClientRects", () => [rect()]);
for (const name of ["scrollIntoView", "scrollTo", "scrollBy", "scroll", "focus", "blur", "setPointerCapture", "releasePointerCapture", "select", "setSelectionRange", "showModal", "close", "show", "play", "pause", "load"]) {
  if (!(name in HTMLElement.prototype) || name === "focus" || name === "blur") define(HTMLElement.prototype, name, () => undefined);
}
define(HTMLElement.prototype, "click", function () { this.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })); });

// Look-ups. An element that the script asks for is there, unless the life says otherwise.
const real = {};
for (const name of ["querySelector", "querySelectorAll", "getElementById", "getElementsByClassName", "getElementsByTagName", "getElementsByName"]) {
  real[name] = document[name] ? document[name].bind(document) : () => [];
}
export function madeFor(selector) {
  const last = String(selector).split(",")[0].trim().split(/[\s>+~]+/).pop();
  const element = document.createElement(/^[\w-]+/.exec(last)?.[0] ?? "div");
  for (const name of last.match(/[#.][\w-]+/g) ?? []) {
    if (name[0] === "#") element.id = name.slice(1);
    else element.classList.add(name.slice(1));
  }
  for (const [, name, value] of last.matchAll(/\[([\w-]+)(?:[~|^$*]?=["']?([^"'\]]*)["']?)?\]/g)) element.setAttribute(name, value ?? "");
  body.appendChild(element);
  return element;
}
const selectorOf = { getElementById: (name) => `#${name}`, getElementsByClassName: (name) => `.${String(name).trim().split(/\s+/).join(".")}` };
const textOf = (name, selector) => `document.${name}('${selector}')`;
/** Which kind of look-up finds nothing yet: by an id, by a class, or by more. */
const byOf = (selector) => (/^#[\w-]+$/.test(selector) ? "id" : /^\.[\w-]+$/.test(selector) ? "class" : "");
const inHead = (selector) => { const element = madeFor(selector); head.appendChild(element); return element; };
for (const name of ["querySelector", "getElementById"]) {
  define(document, name, (selector) => {
    const found = real[name](String(selector));
    if (found || (!input.early && !input.elements)) return found;
    const meaning = (selectorOf[name] ?? String)(selector);
    if (!input.early) return madeFor(meaning);
    if (!meant(meaning)) return inHead(meaning);
    early.last = { lookup: textOf(name, selector), by: byOf(meaning) };
    return null;
  });
}
for (const name of ["querySelectorAll", "getElementsByClassName", "getElementsByTagName"]) {
  define(document, name, (selector) => {
    const meaning = (selectorOf[name] ?? String)(selector);
    let found = real[name](String(selector));
    if (!found.length && (input.early ? !meant(meaning) : input.elements)) {
      if (input.early) inHead(meaning);
      else madeFor(meaning);
      found = real[name](String(selector));
    }
    const list = Array.from(found);
    Object.setPrototypeOf(list, NodeListLike.prototype);
    if (input.early && !list.length) {
      early.lists.set(list, { text: textOf(name, selector), selector: meaning });
      early.last = { lookup: textOf(name, selector), by: byOf(meaning) };
    }
    return list;
  });
}
define(html, "querySelector", (selector) => document.querySelector(selector));
class NodeListLike extends Array {
  item(index) { return this[index] ?? null; }
  namedItem() { return null; }
}
for (const name of ["forEach", Symbol.iterator]) {
  const original = Array.prototype[name];
  define(NodeListLike.prototype, name, function (...args) {
    const lookup = early.lists.get(this);
    if (lookup && input.early && meant(lookup.selector)) report("early-dom", "", { lookup: lookup.text, list: true });
    return original.apply(this, args);
  });
}
const HEAD = /^(?:html|head|meta|link|script|style|title|base|noscript|template|\*|:root|:scope)$/i;
/** Whether a selector can only match elements of the body. */
export function meant(selector) {
  return String(selector).split(",").every((part) => {
    const steps = part.trim().split(/\s*[>+~]\s*|\s+/);
    if (/\[/.test(part)) return false;
    const tag = /^[a-zA-Z][\w-]*/.exec(steps[steps.length - 1]);
    if (tag) return !HEAD.test(tag[0]);
    return !steps.slice(0, -1).some((step) => HEAD.test(step) && !/^(?:html|:root)$/i.test(step));
  });
}

// The window.
const storage = () => {
  const values = new Map();
  return {
    getItem: (key) => values.get(String(key)) ?? input.stored, setItem: (key, value) => void values.set(String(key), String(value)),
    removeItem: (key) => void values.delete(String(key)), clear: () => values.clear(), key: () => null, get length() { return values.size; },
  };
};
class Observer {
  constructor(callback) { this.callback = callback; }
  observe(target) {
    if (!target || typeof target !== "object") throw new TypeError("parameter 1 is not of type 'Element'");
    later(() => this.callback([{ isIntersecting: true, intersectionRatio: 1, target, addedNodes: [], removedNodes: [], type: "childList", contentRect: rect(), boundingClientRect: rect() }], this), 2);
  }
  disconnect() { this.callback = () => {}; }
  unobserve() {}
  takeRecords() { return []; }
}
const RealMutations = made.MutationObserver;
export const scriptObserver = () => {
  define(globalThis, "MutationObserver", class MutationObserver {
    constructor(callback) { this.callback = callback; this.inner = new RealMutations((records) => attempt(() => callback(records, this))); }
    observe(target, options) {
      if (!target || typeof target !== "object" || !target.nodeType) throw new TypeError("parameter 1 is not of type 'Node'");
      this.inner.observe(target, options);
      later(() => attempt(() => this.callback([{ target, addedNodes: [], removedNodes: [], type: "childList" }], this)), 2);
    }
    disconnect() { this.callback = () => {}; this.inner.disconnect(); }
    takeRecords() { return this.inner.takeRecords(); }
  });
};
/** A value of which nothing is known: the export of another file, the answer of a host. */
export const unknown = (name) => {
  const call = function () {};
  return new Proxy(call, {
    get(_target, key) {
      if (key === Symbol.toPrimitive) return (hint) => (hint === "number" ? 1 : "");
      if (key === Symbol.iterator) return function* () {};
      if (key === "then" || key === "toJSON" || typeof key === "symbol") return undefined;
      if (key === "toString" || key === "valueOf") return () => "";
      if (key === "length") return 0;
      if (key === "default") return unknown(name);
      return unknown(`${name}.${key}`);
    },
    set: () => true,
    has: () => true,
    apply: () => unknown(name),
    construct: () => unknown(name),
  });
};
const answer = () => ({
  ok: true, status: 200, headers: new Map(), url: location.href, json: () => Promise.resolve(unknown("answer")), text: () => Promise.resolve(""),
  blob: () => Promise.resolve({}), clone: answer,
});
class XMLHttpRequest {
  open(_verb, _address, isAsync = true) {
    if (!isAsync) report("sync-xhr", "a synchronous request stops the whole page until it is answered");
    this.async = !!isAsync;
    this.readyState = 1;
  }
  setRequestHeader() {}
  abort() {}
  overrideMimeType() {}
  getResponseHeader() { return null; }
  getAllResponseHeaders() { return ""; }
  send() {
    const answered = () => {
      Object.assign(this, { readyState: 4, status: input.answers ? 200 : 500, statusText: "", responseText: "{}", response: "{}" });
      for (const type of ["readystatechange", input.answers ? "load" : "error", "loadend"]) this.dispatchEvent(new Event(type));
    };
    if (this.async) later(answered, 5);
    else answered();
  }
}
Object.assign(XMLHttpRequest.prototype, methods);
class MessagePort {
  postMessage(data) { const { other } = this; later(() => other.dispatchEvent(Object.assign(new Event("message"), { data })), 0); }
  start() {}
  close() {}
}
Object.assign(MessagePort.prototype, methods);
class MessageChannel { constructor() { this.port1 = new MessagePort(); this.port2 = new MessagePort(); this.port1.other = this.port2; this.port2.other = this.port1; } }
class URLSearchParams {
  constructor(init = "") {
    const text = typeof init === "string" ? init.replace(/^\?/, "") : "";
    const decode = (part) => { try { return decodeURIComponent(part.replace(/\+/g, " ")); } catch { return part; } };
    this.pairs = typeof init === "string" ? text.split("&").filter(Boolean).map((pair) => { const [key, ...rest] = pair.split("="); return [decode(key), decode(rest.join("="))]; })
      : init && typeof init[Symbol.iterator] === "function" ? [...init].map(([key, value]) => [String(key), String(value)]) : Object.entries(init ?? {}).map(([key, value]) => [key, String(value)]);
    this.fromPage = typeof init === "string" && /aw\d/.test(init);
  }
  get(key) {
    const found = this.pairs.find((pair) => pair[0] === String(key));
    if (found) return found[1];
    return this.fromPage && input.query ? input.query : null;
  }
  getAll(key) { return this.pairs.filter((pair) => pair[0] === String(key)).map((pair) => pair[1]); }
  has(key) { return this.get(key) !== null; }
  set(key, value) { this.delete(key); this.pairs.push([String(key), String(value)]); }
  append(key, value) { this.pairs.push([String(key), String(value)]); }
  delete(key) { this.pairs = this.pairs.filter((pair) => pair[0] !== String(key)); }
  forEach(f) { this.pairs.forEach(([key, value]) => f(value, key, this)); }
  keys() { return this.pairs.map((pair) => pair[0])[Symbol.iterator](); }
  values() { return this.pairs.map((pair) => pair[1])[Symbol.iterator](); }
  entries() { return this.pairs[Symbol.iterator](); }
  [Symbol.iterator]() { return this.entries(); }
  sort() {}
  toString() { return this.pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&"); }
}
class URL {
  constructor(text, base) {
    const whole = String(text);
    const absolute = /^[a-z][a-z\d+.-]*:/i.test(whole) ? whole : base === undefined ? null : new URL(String(base)).resolve(whole);
    const parts = absolute === null ? null : /^([a-z][a-z\d+.-]*:)(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/i.exec(absolute);
    if (!parts || (/^https?:/i.test(absolute) && !parts[2])) throw new TypeError("Invalid URL");
    [, this.protocol, this.host = "", this.pathname, this.search = "", this.hash = ""] = parts;
    this.pathname ||= this.host ? "/" : "";
    this.search ??= "";
    this.hash ??= "";
    [this.hostname, this.port = ""] = this.host.split(":");
    this.username = ""; this.password = "";
    this.searchParams = new URLSearchParams(this.search);
  }
  resolve(path) { return /^\/\//.test(path) ? this.protocol + path : path[0] === "/" ? this.origin + path : `${this.origin}${this.pathname.replace(/[^/]*$/, "")}${path}`; }
  get origin() { return `${this.protocol}//${this.host}`; }
  get href() { const query = String(this.searchParams); return `${this.origin}${this.pathname}${query ? `?${query}` : ""}${this.hash}`; }
  toString() { return this.href; }
  toJSON() { return this.href; }
  static createObjectURL() { return "blob:x"; }
  static revokeObjectURL() {}
  static canParse(text, base) { try { return !!new URL(text, base); } catch { return false; } }
}
export const location = {
  href: "https://shop.example/", search: "", hash: "", host: "shop.example", hostname: "shop.example", pathname: "/", protocol: "https:", port: "", origin: "https://shop.example",
  assign() {}, replace() {}, reload() {}, toString() { return this.href; },
};
class AbortSignal {
  constructor() { this.aborted = false; this.reason = undefined; }
  throwIfAborted() { if (this.aborted) throw this.reason; }
  static timeout() { return new AbortSignal(); }
  static any() { return new AbortSignal(); }
  static abort() { return Object.assign(new AbortSignal(), { aborted: true }); }
}
Object.assign(AbortSignal.prototype, methods);
class AbortController {
  constructor() { this.signal = new AbortSignal(); }
  abort(reason) { Object.assign(this.signal, { aborted: true, reason }); this.signal.dispatchEvent(new Event("abort")); }
}
class TextEncoder {
  encode(text = "") { return Uint8Array.from(unescape(encodeURIComponent(String(text))), (sign) => sign.charCodeAt(0)); }
}
const bind = (name, value) => define(globalThis, name, value);
const timer = (repeat) => (callback, delay, ...args) => {
  if (typeof callback !== "function") {
    report("no-eval", "a timer that is given text runs it as code");
    return 0;
  }
  let rounds = 0;
  return later((task) => {
    rounds += 1;
    if (repeat && rounds < 12) again(task, delay);
    callback(...args);
  }, delay);
};
/** Whether jQuery is about to run a script of inserted HTML. */
export const expected = { eval: false };
const realEval = globalThis.eval;
const RealFunction = globalThis.Function;
const counted = new Proxy(RealFunction, {
  apply: (called, self, args) => { ran(args); return Reflect.apply(called, self, args); },
  construct: (called, args) => { ran(args); return Reflect.construct(called, args); },
});
const ran = (args) => { if (!(args.length === 1 && /^\s*return this;?\s*$/.test(args[0]) && false)) report("no-eval", "text is run as code"); };
const quiet = (result) => () => result;
const bindings = {
  location, URL, URLSearchParams, XMLHttpRequest, IntersectionObserver: Observer, ResizeObserver: Observer, PerformanceObserver: Observer, MessageChannel,
  trustedTypes: { createPolicy: (_name, rules) => ({ ...rules }), isHTML: () => false, emptyHTML: "", defaultPolicy: null },
  AbortController, AbortSignal, TextEncoder, localStorage: storage(), sessionStorage: storage(),
  navigator: { userAgent: "Mozilla/5.0 Chrome/140", language: "en", languages: ["en"], onLine: true, platform: "", sendBeacon: () => true, clipboard: { writeText: () => Promise.resolve() }, cookieEnabled: true, maxTouchPoints: 0 },
  history: { pushState() {}, replaceState() {}, back() {}, state: null, length: 1 },
  setTimeout: timer(false), setInterval: timer(true), clearTimeout: cancel, clearInterval: cancel,
  setImmediate: undefined,
  requestAnimationFrame: (callback) => later(() => callback(time()), 16), cancelAnimationFrame: cancel,
  requestIdleCallback: (callback) => later(() => callback({ didTimeout: false, timeRemaining: () => 0 }), 1), cancelIdleCallback: cancel,
  fetch: () => new Promise((fulfil, reject) => later(() => (input.answers ? fulfil(answer()) : reject(new TypeError("Failed to fetch"))), 5)),
  console: Object.fromEntries(["log", "info", "warn", "error", "debug", "table", "group", "groupEnd", "groupCollapsed", "time", "timeEnd", "trace", "assert", "count", "dir"].map((name) => [name, () => {}])),
  getComputedStyle: (element) => {
    if (!element || element.nodeType !== 1) throw new TypeError("parameter 1 is not of type 'Element'");
    return new Proxy({}, { get: (_target, name) => (name === "getPropertyValue" ? () => "" : name === "display" ? "block" : name === "length" ? 0 : "") });
  },
  matchMedia: () => ({ matches: false, media: "", addEventListener() {}, removeEventListener() {}, addListener() {}, removeListener() {} }),
  alert() {}, confirm: quiet(true), prompt: quiet(null), scrollTo() {}, scrollBy() {}, scroll() {}, focus() {}, blur() {}, print() {}, stop() {}, postMessage() {},
  open: quiet(null), close() {}, getSelection: () => notLookedAt("getSelection()"),
  innerWidth: 1024, innerHeight: 768, outerWidth: 1024, outerHeight: 768, pageXOffset: 0, pageYOffset: 0, scrollX: 0, scrollY: 0, devicePixelRatio: 1, screen: { width: 1024, height: 768, availWidth: 1024, availHeight: 768 },
  length: 0, name: "", closed: false, origin: "https://shop.example", isSecureContext: true, opener: null, frameElement: null,
  structuredClone: (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value))),
  performance: { now: () => time(), mark() {}, measure() {}, timing: {}, timeOrigin: 0, getEntriesByType: () => [], getEntriesByName: () => [] },
  crypto: { randomUUID: () => "0b6a1c5e-0000-4000-8000-000000000000", getRandomValues: (array) => array, subtle: unknown("crypto.subtle") },
  CSS: { escape: (text) => String(text).replace(/[^\w-]/g, (sign) => `\\${sign}`), supports: quiet(false) },
  indexedDB: { open: () => ({}), deleteDatabase: () => ({}) }, caches: { open: () => Promise.resolve(unknown("cache")), match: () => Promise.resolve(undefined) },
  Function: counted,
  eval: (code) => {
    if (!expected.eval) report("no-eval", "text is run as code");
    expected.eval = false;
    return realEval(code);
  },
};
for (const [name, value] of Object.entries(bindings)) if (value !== undefined) bind(name, value);
RealFunction.prototype.constructor = counted;
export const runCode = realEval;

for (const prototype of [...holders, ...[document].map(Object.getPrototypeOf), Object.getPrototypeOf(Object.getPrototypeOf(document))]) {
  for (const found of Object.values(Object.getOwnPropertyDescriptors(prototype))) if (isFunction(found.value)) native.add(found.value);
}

// Members of a window that this page lacks.
for (const name of ["FormData", "Headers", "Request", "Response", "Blob", "File", "FileReader", "TextDecoder", "WebSocket", "Worker", "SharedWorker", "EventSource", "BroadcastChannel", "Notification", "Audio", "CSSStyleSheet", "Range", "Selection", "ReadableStream", "speechSynthesis", "showOpenFilePicker", "DOMRect", "DOMMatrix", "ImageData", "OffscreenCanvas", "createImageBitmap", "visualViewport", "Path2D", "XMLSerializer", "XPathResult", "HTMLCollection", "DataTransfer", "ClipboardEvent", "DragEvent", "TouchEvent", "WheelEvent", "AnimationEvent", "TransitionEvent", "ProgressEvent", "MediaQueryList", "Storage", "Location", "History", "Navigator", "Window"]) {
  if (!(name in globalThis)) {
    let value;
    let isSet = false;
    Object.defineProperty(globalThis, name, {
      get: () => (isSet ? value : input.loaded ? notLookedAt(name) : undefined),
      set: (given) => { isSet = true; value = given; },
      configurable: true, enumerable: false,
    });
  }
}
