/** Counts what a page has begun and not ended, so that what grows with each update is noticed. */
import type { Control } from "./controls.ts";

type Frame = Window & typeof globalThis;
type Method = (this: object, ...values: unknown[]) => void;

export interface Counts {
  /** The listeners of the window, the document, and the document's root element and body. */
  listeners: number;
  intervals: number;
  /** Those that observe something. */
  observers: number;
}

/** Return the stack that most of what has begun has, by kind. */
export function begunAt({ begun }: Control): Record<string, string> {
  return Object.fromEntries(Object.entries(begun).flatMap(([kind, each]) => {
    const times = new Map<string, number>();
    for (const error of each.values()) {
      const stack = error?.stack?.split("\n").slice(OWN_LINES).join("\n");
      if (stack) times.set(stack, (times.get(stack) ?? 0) + 1);
    }
    const [first] = [...times].sort(([, one], [, other]) => other - one);
    return first ? [[kind, first[0]]] : [];
  }));
}

/** The lines of a stack that are not of the page: the error's name, `begin` and its caller. */
const OWN_LINES = 3;

export function countGrowth(frame: Frame, { trial, counts, begun }: Control): void {
  const begin = (kind: keyof Counts, key: unknown): void => {
    if (!begun[kind].has(key)) begun[kind].set(key, trial.traced ? new Error() : null);
    counts[kind] = begun[kind].size;
  };
  const end = (kind: keyof Counts, key: unknown): void => {
    begun[kind].delete(key);
    counts[kind] = begun[kind].size;
  };
  const { addEventListener: add, removeEventListener: remove } = frame.EventTarget.prototype;
  const isOfThePage = (target: unknown): boolean => {
    const { document } = frame;
    return target === frame || target === document || target === document.body || target === document.documentElement;
  };
  const names = new Map<unknown, number>();
  const nameOf = (value: unknown): number => {
    if (!names.has(value)) names.set(value, names.size);
    return names.get(value) ?? 0;
  };
  // Two listeners are the same if these are (DOM, 2.7).
  const keyOf = (target: unknown, type: string, listener: unknown, { capture }: AddEventListenerOptions): string =>
    [nameOf(target), type, nameOf(listener), !!capture].join(" ");
  const optionsOf = (options: unknown): AddEventListenerOptions =>
    typeof options === "object" && options ? options : { capture: !!options };
  // A bare `addEventListener(…)` has the window of this function as `this`, and means the page's window.
  const targetOf = (target: unknown): unknown => (target === undefined || target === globalThis ? frame : target);
  frame.EventTarget.prototype.addEventListener = function (type: string, listener: unknown, ...rest: unknown[]) {
    const target = targetOf(this);
    const options = optionsOf(rest[0]);
    if (listener && isOfThePage(target) && !options.signal?.aborted) {
      const key = keyOf(target, type, listener, options);
      const forget = (): void => end("listeners", key);
      begin("listeners", key);
      if (options.once) Reflect.apply(add, target, [type, forget, { once: true, capture: options.capture }]);
      if (options.signal) Reflect.apply(add, options.signal, ["abort", forget, { once: true }]);
    }
    Reflect.apply(add, target, [type, listener, ...rest]);
  };
  frame.EventTarget.prototype.removeEventListener = function (type: string, listener: unknown, ...rest: unknown[]) {
    const target = targetOf(this);
    if (isOfThePage(target)) end("listeners", keyOf(target, type, listener, optionsOf(rest[0])));
    Reflect.apply(remove, target, [type, listener, ...rest]);
  };
  const { setInterval: set } = frame;
  frame.setInterval = ((...values: Parameters<typeof set>) => {
    const id = set.apply(frame, values);
    begin("intervals", id);
    return id;
  }) as typeof frame.setInterval;
  // Either ends an interval (HTML, 8.6).
  for (const name of ["clearInterval", "clearTimeout"] as const) {
    const clear = frame[name];
    frame[name] = (id) => {
      end("intervals", id);
      clear.call(frame, id);
    };
  }
  for (const name of ["MutationObserver", "ResizeObserver", "IntersectionObserver"] as const) {
    const prototype = frame[name].prototype as { observe: Method; disconnect: Method; unobserve?: Method };
    const { observe, disconnect, unobserve } = prototype;
    const targets = new WeakMap<object, Set<unknown>>();
    prototype.observe = function (target, ...rest) {
      Reflect.apply(observe, this, [target, ...rest]);
      targets.set(this, (targets.get(this) ?? new Set()).add(target));
      begin("observers", this);
    };
    prototype.disconnect = function () {
      Reflect.apply(disconnect, this, []);
      targets.delete(this);
      end("observers", this);
    };
    if (!unobserve) continue;
    prototype.unobserve = function (target) {
      Reflect.apply(unobserve, this, [target]);
      targets.get(this)?.delete(target);
      if (!targets.get(this)?.size) end("observers", this);
    };
  }
}
