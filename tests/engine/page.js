// A small page for an engine without a browser: document, elements, timers, requests. It is run before the emulator.
// `__input` holds what a life of the page gets beside payloads: whether look-ups find something, random numbers, ...
// `__page` is what worker.py calls. Anything else has the browser's name and does what scripts need of it.
"use strict";
{
  const input = globalThis.__input;
  const seen = new Set();
  const tasks = [];
  const pageListeners = [];
  let now = 0;
  let taskId = 0;
  let order = 0;
  let failed = null;

  class Event {
    constructor(type, options = {}) {
      Object.assign(this, { type: String(type), bubbles: false, defaultPrevented: false, detail: null, isTrusted: false }, options);
      this.stopped = false;
    }
    preventDefault() { this.defaultPrevented = true; }
    stopPropagation() {}
    stopImmediatePropagation() { this.stopped = true; }
  }
  class CustomEvent extends Event {}

  class EventTarget {
    addEventListener(type, listener, options) {
      const list = (this.__listeners ??= new Map());
      if (!list.has(type)) list.set(type, []);
      if (!list.get(type).some((one) => one.listener === listener)) {
        list.get(type).push({ listener, once: options === Object(options) && !!options.once });
        if (!/^svc-/.test(type)) pageListeners.push({ target: this, type, listener });
      }
    }
    removeEventListener(type, listener) {
      const list = this.__listeners?.get(type);
      if (list) this.__listeners.set(type, list.filter((one) => one.listener !== listener));
      for (let at = pageListeners.length - 1; at >= 0; at -= 1) {
        const one = pageListeners[at];
        if (one.target === this && one.type === type && one.listener === listener) pageListeners.splice(at, 1);
      }
    }
    dispatchEvent(event) {
      event.target ??= this;
      event.currentTarget = this;
      for (const one of [...(this.__listeners?.get(event.type) ?? [])]) {
        if (event.stopped) break;
        if (one.once) this.removeEventListener(event.type, one.listener);
        attempt(() => (typeof one.listener === "function" ? one.listener.call(this, event) : one.listener.handleEvent(event)));
      }
      const handler = this[`on${event.type}`];
      if (typeof handler === "function") attempt(() => handler.call(this, event));
      return !event.defaultPrevented;
    }
  }

  // An exception of a listener or of a task is reported and goes no further.
  function attempt(work) {
    try {
      return work();
    } catch (error) {
      failed ??= String(error);
      return undefined;
    }
  }

  class Node extends EventTarget {
    constructor() { super(); this.childNodes = []; this.parentNode = null; }
    get firstChild() { return this.childNodes[0] ?? null; }
    get lastChild() { return this.childNodes[this.childNodes.length - 1] ?? null; }
    get parentElement() { return this.parentNode instanceof Element ? this.parentNode : null; }
    get nextSibling() { return null; }
    get isConnected() { return document.contains(this); }
    contains(node) { for (let at = node; at; at = at.parentNode) if (at === this) return true; return false; }
    appendChild(node) { return this.insertBefore(node, null); }
    insertBefore(node, next) {
      if (node instanceof DocumentFragment) { [...node.childNodes].forEach((kid) => this.insertBefore(kid, next)); return node; }
      node.remove?.();
      const at = next ? this.childNodes.indexOf(next) : -1;
      this.childNodes.splice(at < 0 ? this.childNodes.length : at, 0, node);
      node.parentNode = this;
      if (node.localName === "script" && node.src) later(() => node.dispatchEvent(new Event(input.answers === false ? "error" : "load")), 5);
      return node;
    }
    removeChild(node) { node.remove(); return node; }
    remove() {
      if (this.parentNode) this.parentNode.childNodes = this.parentNode.childNodes.filter((kid) => kid !== this);
      this.parentNode = null;
    }
    append(...nodes) { nodes.forEach((node) => this.appendChild(typeof node === "object" ? node : document.createTextNode(node))); }
    prepend(...nodes) { const first = this.firstChild; nodes.forEach((node) => this.insertBefore(typeof node === "object" ? node : document.createTextNode(node), first)); }
    replaceChildren(...nodes) { this.childNodes.forEach((kid) => { kid.parentNode = null; }); this.childNodes = []; this.append(...nodes); }
    before(...nodes) { nodes.forEach((node) => this.parentNode?.insertBefore(node, this)); }
    after(...nodes) { nodes.forEach((node) => this.parentNode?.appendChild(node)); }
    replaceWith(...nodes) { this.before(...nodes); this.remove(); }
    cloneNode() { return Object.assign(new this.constructor(this.localName), { __text: this.__text }); }
    get textContent() { return this.__text ?? this.childNodes.map((kid) => kid.textContent).join(""); }
    set textContent(text) { this.replaceChildren(); this.__text = String(text); }
    descendants() { return this.childNodes.flatMap((kid) => [kid, ...(kid.descendants?.() ?? [])]); }
  }
  class Text extends Node { constructor(text) { super(); this.__text = String(text); } get data() { return this.__text; } }
  class DocumentFragment extends Node {}
  const matches = (element, selector) =>
    selector.split(",").some((one) => {
      const last = one.trim().split(/[\s>+~]+/).pop();
      const tag = /^[\w-]+/.exec(last)?.[0];
      const names = last.match(/[#.][\w-]+/g) ?? [];
      return (tag || names.length > 0) && (!tag || tag === element.localName) &&
        names.every((name) => (name[0] === "#" ? element.id === name.slice(1) : element.classList.contains(name.slice(1))));
    });
  class Element extends Node {
    constructor(name) {
      super();
      Object.assign(this, { localName: name, nodeName: String(name).toUpperCase(), tagName: String(name).toUpperCase(), id: "", className: "", hidden: false, style: {}, dataset: {}, __attributes: {} });
    }
    get classList() {
      const names = () => this.className.split(/\s+/).filter(Boolean);
      return {
        contains: (name) => names().includes(name),
        add: (...added) => { this.className = [...new Set([...names(), ...added])].join(" "); },
        remove: (...gone) => { this.className = names().filter((name) => !gone.includes(name)).join(" "); },
        toggle: (name) => { this.className = names().includes(name) ? names().filter((one) => one !== name).join(" ") : [...names(), name].join(" "); },
      };
    }
    get children() { return this.childNodes.filter((kid) => kid instanceof Element); }
    get firstElementChild() { return this.children[0] ?? null; }
    get innerHTML() { return this.__text ?? ""; }
    set innerHTML(html) { this.replaceChildren(); this.__text = undefined; if (html !== "") this.append(new Text(html)); }
    insertAdjacentHTML(_where, html) { this.append(new Text(html)); }
    setAttribute(name, value) { this.__attributes[name] = String(value); if (name === "id") this.id = String(value); if (name === "class") this.className = String(value); }
    getAttribute(name) { return this.__attributes[name] ?? null; }
    hasAttribute(name) { return name in this.__attributes; }
    removeAttribute(name) { delete this.__attributes[name]; }
    toggleAttribute() {}
    matches(selector) { return matches(this, selector); }
    closest(selector) { for (let at = this; at instanceof Element; at = at.parentNode) if (matches(at, selector)) return at; return null; }
    querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null; }
    querySelectorAll(selector) { return this.descendants().filter((node) => node instanceof Element && matches(node, selector)); }
    getElementsByTagName(name) { return this.querySelectorAll(name); }
    getElementsByClassName(name) { return this.querySelectorAll(`.${name}`); }
    getBoundingClientRect() { return { top: 0, left: 0, width: 0, height: 0, bottom: 0, right: 0 }; }
    click() { this.dispatchEvent(new Event("click")); }
    focus() {} blur() {} scrollIntoView() {}
    attachShadow() { return new DocumentFragment(); }
  }
  class HTMLElement extends Element {}
  class HTMLScriptElement extends HTMLElement {}
  class HTMLImageElement extends HTMLElement {
    set src(_address) { later(() => this.dispatchEvent(new Event(input.answers === false ? "error" : "load")), 5); }
  }
  class Document extends Node {
    constructor() { super(); Object.assign(this, { readyState: "loading", currentScript: null, cookie: "", title: "", referrer: "", URL: "https://shop.example/" }); }
    get documentElement() { return root; }
    get head() { return head; }
    get body() { return this.readyState === "loading" && input.head ? null : body; }
    get location() { return location; }
    createElement(name) { return new (name === "script" ? HTMLScriptElement : name === "img" ? HTMLImageElement : HTMLElement)(String(name).toLowerCase()); }
    createElementNS(_space, name) { return this.createElement(name); }
    createTextNode(text) { return new Text(text); }
    createDocumentFragment() { return new DocumentFragment(); }
    contains(node) { return node === document || root.contains(node); }
    getElementById(id) { return this.querySelector(`#${id}`); }
    querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null; }
    querySelectorAll(selector) {
      const found = root.querySelectorAll(selector).concat(matches(root, selector) ? [root] : []);
      const early = this.readyState === "loading" && input.head;
      const visible = early ? found.filter((element) => !body.contains(element)) : found;
      return visible.length || early || !input.elements ? visible : [madeFor(selector)];
    }
    getElementsByTagName(name) { return this.querySelectorAll(name); }
    getElementsByClassName(name) { return this.querySelectorAll(`.${name}`); }
    write() { seen.add("document-write"); }
    writeln() { seen.add("document-write"); }
    addEventListener(type, listener, options) { super.addEventListener(type, listener, options); }
  }
  // An element that a page may have: the one that the script asks for.
  function madeFor(selector) {
    const last = selector.split(",")[0].trim().split(/[\s>+~]+/).pop();
    const element = document.createElement(/^[\w-]+/.exec(last)?.[0] ?? "div");
    for (const name of last.match(/[#.][\w-]+/g) ?? []) {
      if (name[0] === "#") element.id = name.slice(1);
      else element.classList.add(name.slice(1));
    }
    body.append(element);
    return element;
  }
  const document = new Document();
  const [root, head, body] = ["html", "head", "body"].map((name) => new HTMLElement(name));
  root.parentNode = document;
  document.childNodes.push(root);
  root.append(head, body);
  const box = new HTMLElement("div");
  box.id = "box";
  body.append(box);

  function later(work, delay = 0) {
    taskId += 1;
    order += 1;
    tasks.push({ id: taskId, at: now + Math.max(1, Number(delay) || 0), order, work });
    return taskId;
  }
  const cancel = (id) => { const at = tasks.findIndex((task) => task.id === id); if (at >= 0) tasks.splice(at, 1); };
  const timer = (callback, delay, ...args) => {
    if (typeof callback !== "function") { seen.add("no-eval"); return 0; }
    return later(() => callback(...args), delay);
  };
  const interval = (callback, delay, ...args) => {
    if (typeof callback !== "function") { seen.add("no-eval"); return 0; }
    let rounds = 0;
    const id = later(function round() {
      rounds += 1;
      if (rounds < 12) { order += 1; tasks.push({ id, at: now + Math.max(1, Number(delay) || 0), order, work: round }); }
      callback(...args);
    }, delay);
    return id;
  };

  class XMLHttpRequest extends EventTarget {
    open(_verb, _address, isAsync = true) { if (!isAsync) seen.add("sync-xhr"); this.__async = isAsync; }
    setRequestHeader() {} abort() {}
    send() {
      const answer = () => {
        Object.assign(this, { readyState: 4, status: input.answers === false ? 500 : 200, responseText: "{}", response: "{}" });
        this.dispatchEvent(new Event("readystatechange"));
        this.dispatchEvent(new Event(input.answers === false ? "error" : "load"));
      };
      if (this.__async) later(answer, 5); else answer();
    }
  }
  class Observer {
    constructor(callback) { this.callback = callback; }
    observe() { if (!this.emulator) later(() => this.callback([{ isIntersecting: true, target: body, addedNodes: [], type: "childList" }], this), 2); }
    disconnect() { this.callback = () => {}; } unobserve() {} takeRecords() { return []; }
  }
  class MessagePort extends EventTarget {
    postMessage(data) { const { other } = this; later(() => other.dispatchEvent(new Event("message", { data })), 0); }
    start() {} close() {}
  }
  class MessageChannel { constructor() { this.port1 = new MessagePort(); this.port2 = new MessagePort(); this.port1.other = this.port2; this.port2.other = this.port1; } }

  const location = { href: "https://shop.example/", search: "", hash: "", host: "shop.example", hostname: "shop.example", pathname: "/", protocol: "https:", origin: "https://shop.example" };
  const storage = () => { const values = new Map(); return { getItem: (key) => values.get(key) ?? (input.stored ?? null), setItem: (key, value) => void values.set(key, String(value)), removeItem: (key) => void values.delete(key) }; };
  const target = new EventTarget();
  const realEval = globalThis.eval;
  const RealFunction = globalThis.Function;
  const answer = () => ({ ok: true, status: 200, json: () => Promise.resolve({}), text: () => Promise.resolve("") });
  const CountedFunction = new Proxy(RealFunction, {
    apply: (called, self, args) => { seen.add("no-eval"); return Reflect.apply(called, self, args); },
    construct: (called, args) => { seen.add("no-eval"); return Reflect.construct(called, args); },
  });
  RealFunction.prototype.constructor = CountedFunction;
  if (input.random !== undefined) Math.random = () => input.random;
  const names = {
    Event, CustomEvent, EventTarget, Node, Text, DocumentFragment, Element, HTMLElement, HTMLScriptElement, HTMLImageElement, Document, XMLHttpRequest,
    MutationObserver: Observer, IntersectionObserver: Observer, ResizeObserver: Observer, MessageChannel, document, location,
    Image: class extends HTMLImageElement { constructor() { super("img"); } },
    localStorage: storage(), sessionStorage: storage(), navigator: { userAgent: "", language: "en" }, history: { pushState() {}, replaceState() {} },
    setTimeout: timer, setInterval: interval, clearTimeout: cancel, clearInterval: cancel,
    requestAnimationFrame: (callback) => later(() => callback(now), 16), cancelAnimationFrame: cancel,
    requestIdleCallback: (callback) => later(() => callback({ timeRemaining: () => 0 }), 1), cancelIdleCallback: cancel,
    setImmediate: (callback, ...args) => later(() => callback(...args), 0),
    fetch: () => new Promise((done, fail) => later(() => (input.answers === false ? fail(new TypeError("offline")) : done(answer())), 5)),
    console: Object.fromEntries(["log", "info", "warn", "error", "debug", "table", "group", "groupEnd"].map((name) => [name, () => {}])),
    addEventListener: (...args) => target.addEventListener(...args), removeEventListener: (...args) => target.removeEventListener(...args), dispatchEvent: (event) => target.dispatchEvent(event),
    getComputedStyle: () => ({ display: "block", getPropertyValue: () => "" }), matchMedia: () => ({ matches: false, addEventListener() {}, addListener() {} }),
    alert() {}, confirm: () => true, scrollTo() {}, innerWidth: 1024, innerHeight: 768,
    structuredClone: (value) => JSON.parse(JSON.stringify(value)),
    performance: { now: () => now }, Function: CountedFunction,
    eval: (code) => { seen.add("no-eval"); return realEval(code); },
  };
  for (const [name, value] of Object.entries(names)) Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: true });
  for (const name of ["window", "self", "top", "parent", "frames"]) globalThis[name] = globalThis;

  const known = new Set(input.events);
  globalThis.__page = {
    /** Called after the emulator: forgets its listeners and tasks, and looks at the names of each subscription. */
    watch() {
      const original = svcPlugins.subscribeEvent;
      svcPlugins.subscribeEvent = function (event, callback) {
        if (typeof event === "string") event.split(/\s+/).filter(Boolean).forEach((name) => known.has(name.split(".")[0]) || seen.add("unknown-event"));
        return original.call(this, event, callback);
      };
      pageListeners.length = 0;
      tasks.length = 0;
    },
    /** Run one program in the global scope. An exception ends only this program. */
    run(code) {
      try {
        realEval(code);
      } catch (error) {
        failed ??= String(error);
        if (input.head && /null|not a function|undefined/.test(String(error)) && document.readyState === "loading") seen.add("early-dom");
      }
    },
    ready() {
      document.readyState = "interactive";
      document.dispatchEvent(new Event("readystatechange"));
      document.dispatchEvent(new Event("DOMContentLoaded"));
      globalThis.dispatchEvent(new Event("DOMContentLoaded"));
      document.readyState = "complete";
      document.dispatchEvent(new Event("readystatechange"));
      globalThis.dispatchEvent(new Event("load"));
      globalThis.dispatchEvent(new Event("pageshow"));
      if (typeof globalThis.onload === "function") attempt(() => globalThis.onload(new Event("load")));
    },
    /** Everything of one host: its base event, then its updates, as the storefront fires them. */
    host({ event, params, updates }) {
      attempt(() => awningEmulator.host("#box", event, params));
      for (const update of updates) attempt(() => awningEmulator.fire(`${event}-updated`, update));
    },
    update({ event, update }) { attempt(() => awningEmulator.fire(`${event}-updated`, update)); },
    /** Run the task that is due next. Returns whether there was one. */
    task() {
      if (!tasks.length) return false;
      tasks.sort((a, b) => a.at - b.at || a.order - b.order);
      const next = tasks.shift();
      now = Math.max(now, next.at);
      attempt(next.work);
      return true;
    },
    /** What a shopper does: dispatch the event of every listener, but not events of loading such as `load`. */
    act() {
      const done = new Set(["DOMContentLoaded", "load", "readystatechange", "pageshow", "error"]);
      for (const { target: element, type } of [...pageListeners]) if (!done.has(type)) attempt(() => element.dispatchEvent(new Event(type, { key: "Enter", data: {} })));
      for (const node of body.descendants()) {
        for (const name of Object.keys(node)) if (/^on[a-z]+$/.test(name) && typeof node[name] === "function" && !done.has(name.slice(2))) attempt(() => node[name](new Event(name.slice(2))));
      }
    },
    result() {
      const entries = awningEmulator.trace();
      const trace = entries.map(({ kind, event, detail }) => `${kind}:${event}:${kind === "violation" ? detail : ""}`);
      const violations = entries.filter((entry) => entry.kind === "violation").map((entry) => entry.detail);
      return JSON.stringify({ rules: [...new Set([...seen, ...violations])], trace, failed });
    },
  };
}
