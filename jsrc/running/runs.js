// What the parent process calls: `__page`. It watches the emulator, and runs one life of a page.
import * as runtime from "../runtime/index.ts";
import * as functions from "../runtime/slots.ts";
import { run as runWidget } from "../runtime/running.ts";
import { keep } from "../runtime/keep.ts";
import { later as runLater } from "../runtime/later.ts";
import { forget, next, state } from "./clock.js";
import { locate, reads, watchedArgument, watchedArguments } from "./reads.ts";
import { acted, attempt, body, document, early, expected, failed, findings, head, hearing, input, location, meant, outcome, report, runCode, scriptObserver, setCurrentScript, setReadyState, sink, unknown } from "./page.js";

const emulator = globalThis.awningEmulator;
const plugins = globalThis.svcPlugins;
const TEXTS = {
  "init-once": "initContentHandler is called more than once for one event",
  "updated-pair": "initContentHandler is called in the callback of an -updated event",
  "init-early": "initContentHandler is called after the callback has returned",
};
const events = [];
/** Timers that are due later than this, in milliseconds, do not run. */
const LATEST = 1e7;
emulator.watch((entry) => {
  if (entry.kind === "exception") failed(entry.detail);
  events.push(`${entry.kind}:${entry.event}:${entry.kind === "violation" ? entry.detail : ""}`);
  if (entry.kind === "violation" && TEXTS[entry.detail]) report(entry.detail, TEXTS[entry.detail]);
});
const subscribe = plugins.subscribeEvent;
plugins.subscribeEvent = function (event, callback) {
  if (typeof event === "string") {
    for (const name of event.split(/\s+/).filter(Boolean).map((one) => one.split(".")[0])) {
      if (!input.events.includes(name)) report("unknown-event", name);
    }
  }
  return subscribe.call(this, event, typeof callback === "function" && !ofRuntime ? watching(callback) : callback);
};
/** What fires the events of each slot to which nothing listens yet. It is called before the first listener is added. */
const postponed = new Map();
hearing.add = (type) => {
  const event = type.split(".")[0].replace(/-updated$/, "");
  const fires = postponed.get(event) ?? [];
  postponed.set(event, null);
  for (const fire of fires) fire();
};
/** Fire an event when something listens to it. */
function whenHeard(event, fire) {
  if (postponed.get(event) === null) fire();
  else postponed.set(event, [...(postponed.get(event) ?? []), fire]);
}
/** Whether the runtime subscribes. It reads all fields to make the arguments of render functions, which are watched. */
let ofRuntime = false;
const callbacks = new WeakMap();
/** A callback that gets its arguments watched. One callback has one, as the emulator compares them. */
function watching(callback) {
  const known = callbacks.get(callback);
  if (known) return known;
  const made = function (event, init, ...rest) { return callback.call(this, event, init, ...rest.map(watchedArgument)); };
  callbacks.set(callback, made);
  return made;
}

// jQuery's look-ups before there is a body.
const fn = globalThis.$.fn;
const ASKS = new Set(["constructor", "is", "hasClass", "length", "init", "ready", "get", "toArray", "index", "size", "first", "last", "eq", "find", "filter", "not", "children", "parent", "parents", "closest", "next", "prev", "siblings", "end", "slice", "extend", "pushStack", "map", "each", "selector", "jquery", "add", "addBack", "sort", "splice", "push"]);
const GOES = new Set(["appendTo", "prependTo", "insertAfter", "insertBefore"]);
for (const [name, method] of Object.entries(fn)) {
  if (typeof method !== "function" || (ASKS.has(name) && name !== "each")) continue;
  const wrapped = function (...args) {
    if (input.early) {
      if (GOES.has(name) && typeof args[0] === "string" && !/</.test(args[0]) && meant(args[0]) && !globalThis.$(args[0]).length) report("early-dom", "", { lookup: `$('${args[0]}')`, list: true });
      else if (this && this.length === 0 && this.__early !== undefined) report("early-dom", "", { lookup: this.__early, list: true });
    }
    return method.apply(this, args);
  };
  Object.assign(wrapped, method);
  fn[name] = wrapped;
}
const init = fn.init;
const made = function (selector, context, root) {
  const result = new init(selector, context, root);
  if (input.early && result.length === 0) {
    if (typeof selector === "string" && !/</.test(selector) && selector && meant(selector)) result.__early = `$('${selector}')`;
    else if (selector === null) result.__early = "$(document.body)";
  } else if (input.elements && !input.early && result.length === 0 && typeof selector === "string" && selector && !/[<:]/.test(selector) && !context) {
    document.querySelector(selector);
    return new init(selector, context, root);
  }
  return result;
};
made.prototype = fn;
fn.init = made;
const pushStack = fn.pushStack;
fn.pushStack = function (elements) {
  const result = pushStack.call(this, elements);
  if (this.__early !== undefined && result.length === 0) result.__early = this.__early;
  return result;
};
const { globalEval } = globalThis.$;
globalThis.$.globalEval = function (code) {
  expected.eval = true;
  try {
    return globalEval.call(this, code);
  } finally {
    expected.eval = false;
  }
};
const ajax = globalThis.$.ajax;
globalThis.$.ajax = function (address, options) {
  const settings = typeof address === "object" ? address : options;
  if (settings && settings.async === false) report("sync-xhr", "a synchronous request stops the whole page until it is answered");
  return ajax.apply(this, arguments);
};

// The module "awning", with the real runtime: the HTML that a render function returns is judged at the slot's call.
const slots = {};
const { judged } = outcome;
for (const name of Object.keys(functions)) {
  slots[name] = (render) => {
    const at = state.at;
    if (typeof render !== "function") return runtime[name](render);
    return runtime[name]((args) => {
      const judge = (html) => {
        const before = state.at;
        state.at = at;
        if (html || html === 0) {
          sink(String(html), "render");
          judged.add(String(html));
        }
        state.at = before;
        return html;
      };
      const html = render(watchedArguments(args));
      return html && typeof html === "object" && typeof html.then === "function" ? Object.assign(html.then(judge), html) : judge(html);
    });
  };
}
const awning = {
  ...runtime,
  ...slots,
  live(render, behaviour) {
    for (const key of Object.keys((behaviour && behaviour.on) ?? {})) report("dead-handler", key);
    const handlers = Object.entries((behaviour && behaviour.on) ?? {});
    const mounted = behaviour && behaviour.mounted;
    return runtime.live(render, {
      ...behaviour,
      mounted(root) {
        if (mounted) mounted(root);
        for (const [key, handle] of handlers) {
          acted.push({ call: () => { const [type, ...rest] = key.split(" "); const event = new Event(type, { bubbles: true, cancelable: true }); let element = root; try { element = root.querySelector(rest.join(" ")) ?? root; } catch {} Object.defineProperty(event, "target", { value: element, configurable: true }); handle(event, element); } });
        }
      },
    });
  },
};
const modules = { awning };
const exported = {};
Object.defineProperty(globalThis, "__import", { value: (name) => modules[name] ?? unknown(name) });
Object.defineProperty(globalThis, "__exports", { value: exported });
Object.defineProperty(globalThis, "__q", { value: (at, value) => { state.at = at; return value; } });
const NONE = Object.freeze([]);
Object.defineProperty(globalThis, "__e", { value: (at) => { state.at = at; return NONE; } });
const counters = new Set();
Object.defineProperty(globalThis, "__c", { value: (number, at) => { counters.add(number); state.at = at; } });

Object.defineProperty(globalThis, "__b", { value: (number, at, value) => { counters.add(value ? number : -number); state.at = at; return value; } });
Object.defineProperty(globalThis, "__load", { value: (name) => Promise.resolve(globalThis.__import(String(name))) });
Object.defineProperty(globalThis, "__early", { value: (error) => { if (input.early) failed(error); } });

function fireUpdate(event, update) {
  locate(update, "total" in update ? "cartData" : "");
  if (update.selectedVariant) locate(update.selectedVariant, "item.variants.0");
  attempt(() => emulator.fire(`${event}-updated`, update));
}
const message = (key) => String(key);
forget();
let globalsBefore;
globalThis.__page = {
  begin(given) {
    Object.assign(input, given);
    globalThis.__prefix = given.prefix;
    globalThis[given.global] = plugins;
    if (given.global !== "svcPlugins") delete globalThis.svcPlugins;
    scriptObserver();
    if (given.random !== undefined && given.random !== null) Math.random = () => given.random;
    Object.assign(location, given.location ?? {});
    for (const name of given.globals ?? []) if (!(name in globalThis)) globalThis[name] = unknown(name);
    if (given.headHtml) head.innerHTML = given.headHtml;
    if (given.bodyHtml) body.insertAdjacentHTML("beforeend", given.bodyHtml);
    findings.length = 0;
    outcome.left = "";
    input.loaded = true;
  },
  /** Before a script runs. In the page's head there is no body yet. */
  script(isEarly) {
    input.early = isEarly && input.head !== "there";
    if (input.early) body.remove();
    const element = document.createElement("script");
    element.__ran = true;
    (isEarly ? head : body).insertBefore(element, null);
    setCurrentScript(element);
    state.at = -1;
  },
  /** Whether the running script has begun. One that has not cannot be read by the engine. */
  began: () => state.at !== -1,
  /** After a script: an exception of an early one is the use of a missing element. */
  ended(error) {
    if (error) failed(error);
    setCurrentScript(null);
    if (input.early) document.documentElement.appendChild(body);
    input.early = false;
  },
  afterScripts() {
    input.head = false;
    const { default: slots } = exported;
    if (Array.isArray(slots)) {
      const texts = new Proxy(() => "", {});
      ofRuntime = true;
      attempt(() => runWidget("widget", "aw-check", slots, runLater("widget", keep), (page) => ({ page, data: unknown("data"), t: message, language: "en" })));
      ofRuntime = false;
    }
  },
  ready() {
    for (const [ready, types] of [["interactive", ["DOMContentLoaded"]], ["complete", ["load", "pageshow"]]]) {
      setReadyState(ready);
      document.dispatchEvent(new Event("readystatechange"));
      for (const type of types) {
        if (type === "DOMContentLoaded") document.dispatchEvent(new Event(type, { bubbles: true }));
        else globalThis.dispatchEvent(new Event(type));
      }
    }
  },
  host({ event, params, updates }) {
    locate(params, "");
    whenHeard(event, () => {
      attempt(() => emulator.host("#box", event, params));
      if (updates.length) fireUpdate(event, updates[0]);
    });
  },
  update: ([event, update]) => whenHeard(event, () => fireUpdate(event, update)),
  task: () => next(LATEST, attempt),
  act() {
    for (const { target, type, call } of acted.splice(0, 40)) {
      if (call) attempt(call);
      else attempt(() => target.dispatchEvent(Object.assign(new Event(type, { bubbles: true, cancelable: true }), { key: "Enter", data: {}, clientX: 0, clientY: 0 })));
    }
    for (const node of body.querySelectorAll("*")) {
      for (const name of Object.keys(node)) if (/^on[a-z]+$/.test(name) && !/^on(?:load|error|readystatechange)$/.test(name) && typeof node[name] === "function") attempt(() => node[name](new Event(name.slice(2))));
    }
  },
  result: () => JSON.stringify({ ...reads(), findings, left: outcome.left, failures: outcome.failures, trace: events, counters: [...counters], at: state.at }),
};
