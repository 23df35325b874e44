/** Listeners and events. linkedom's dispatch ends at the first exception and forgets the target. */
import { define, document, made, window, type Method } from "./dom.ts";
import { attempt, input } from "./reports.ts";

interface Listener {
  readonly type: string;
  readonly listener: Method | { handleEvent: Method };
  readonly capture: boolean;
  readonly once: boolean;
}

/** What a shopper may do: the events that scripts listen to, and the handlers of `live`. */
export const actions: Array<{ target: EventTarget; type: string } | (() => void)> = [];
/** `add` is called before a listener of an event of the service is added. */
export const hearing = { add(_event: string): void {} };
/** Events that the page fires itself. */
const FIRED = new Set(["DOMContentLoaded", "load", "readystatechange", "pageshow", "error"]);

const listeners = new WeakMap<object, Listener[]>();
const listenersOf = (target: object): readonly Listener[] => listeners.get(target) ?? [];

function parentOf(target: object): object | null {
  const { parentNode, host } = target as { parentNode?: object | null; host?: object };
  return target === document ? window : (parentNode ?? host ?? null);
}

function pathOf(target: object, bubbles: boolean): object[] {
  const path = [target];
  for (let at = bubbles ? parentOf(target) : null; at; at = parentOf(at)) {
    path.push(at);
  }
  return path;
}

function callListeners(at: object, event: Event): void {
  for (const one of listenersOf(at)) {
    if ((event as { _stopImmediatePropagationFlag?: boolean })._stopImmediatePropagationFlag) {
      break;
    }
    if (one.type !== event.type || !listenersOf(at).includes(one)) {
      continue;
    }
    if (one.once) {
      removeListener(at, one.type, one.listener);
    }
    const { listener } = one;
    attempt(() => (typeof listener === "function" ? listener.call(at, event) : listener.handleEvent(event)));
  }
}

function callHandler(at: object, event: Event): void {
  const handler = (at as Record<string, unknown>)[`on${event.type}`];
  // linkedom keeps the handlers of elements as listeners.
  const isListener = listenersOf(at).some(({ type, listener }) => type === event.type && listener === handler);
  if (typeof handler === "function" && !isListener) {
    attempt(() => Reflect.apply(handler, at, [event]) as unknown);
  }
}

function removeListener(target: object, type: unknown, listener: unknown): void {
  const others = listenersOf(target).filter((one) => one.type !== String(type) || one.listener !== listener);
  listeners.set(target, others);
}

/** The members of an EventTarget. Without `this`, as in `addEventListener(...)`, they are the window's. */
export const methods = {
  addEventListener(this: object | undefined, type: unknown, listener: Listener["listener"], options?: unknown): void {
    const target = this ?? window;
    if (!listener) {
      return;
    }
    const name = String(type);
    if (input.prefix && name.startsWith(input.prefix)) {
      hearing.add(name);
    }
    const { capture = false, once = false } = Object(options) as { capture?: unknown; once?: unknown };
    const isCapture = options === true || !!capture;
    const known = listenersOf(target);
    if (known.some((one) => one.type === name && one.listener === listener && one.capture === isCapture)) {
      return;
    }
    listeners.set(target, [...known, { type: name, listener, capture: isCapture, once: !!once }]);
    if (!(input.prefix && name.startsWith(input.prefix)) && !FIRED.has(name)) {
      actions.push({ target: target as EventTarget, type: name });
    }
  },
  removeEventListener(this: object | undefined, type: unknown, listener: unknown): void {
    removeListener(this ?? window, type, listener);
  },
  dispatchEvent(this: object | undefined, event: Event): boolean {
    const target = this ?? window;
    const set = (name: string, value: unknown): unknown =>
      Object.defineProperty(event, name, { value, writable: true, configurable: true });
    set("target", target);
    set("srcElement", target);
    set("isTrusted", false);
    const path = pathOf(target, event.bubbles);
    set("composedPath", () => path);
    for (const at of path) {
      set("currentTarget", at);
      callListeners(at, event);
      callHandler(at, event);
      if (event.cancelBubble) {
        break;
      }
    }
    set("currentTarget", null);
    return !event.defaultPrevented;
  },
};

Object.assign(EventTarget.prototype, methods);
for (const [name, method] of Object.entries(methods)) {
  define(window, name, method);
  define(made.EventTarget.prototype, name, method);
  define(Object.getPrototypeOf(made.Node.prototype) as object, name, method);
}
