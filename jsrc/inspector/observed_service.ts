/**
 * The service of a live page, observed as the emulator lets itself be observed. A live page has no emulator: the page's
 * own global is wrapped when the page defines it, before any snippet runs. Nothing else of it changes.
 */
import type { Emulator, Entry } from "./timeline.ts";
import type { ContentHandler, InitContentHandler, ServiceGlobal } from "../types/service.ts";

type Observer = Parameters<Emulator["observe"]>[0];
type Callback = (...delivered: unknown[]) => unknown;
type Subscribe = (event: unknown, callback: unknown, ...rest: unknown[]) => unknown;

export interface ObservedService {
  observe(observer: Observer): void;
  watch(listener: (entry: Entry) => void): void;
}

const UPDATED = /-updated$/;

/**
 * Observe the global `name` of the page. `events` are the names of all events. `onDefined` is called with the global as
 * soon as it is observed.
 */
export function observeService(
  name: string,
  events: readonly string[],
  onDefined: (service: ServiceGlobal) => void,
): ObservedService {
  const observers: Observer[] = [];
  const listeners: Array<(entry: Entry) => void> = [];
  const positions = new WeakMap<object, number>();
  let subscribers = 0;
  /** Whether a delivery goes on, so that its calls are live. */
  let live = "";

  const note = (entry: Pick<Entry, "kind" | "event" | "subscriber"> & Partial<Entry>): void => {
    for (const listener of listeners) listener({ t: performance.now(), position: null, detail: null, ...entry });
  };

  /** Return the page's initContentHandler, which tells of blocks, their contents and broken rules. */
  const observedInit = (init: InitContentHandler<unknown>, event: string, subscriber: number): InitContentHandler<unknown> => {
    let calls = 0;
    return function (this: unknown, ...words: []): ContentHandler<unknown> {
      calls += 1;
      const rule = UPDATED.test(event) ? "updated-pair" : calls > 1 ? "init-once" : null;
      if (rule) note({ kind: "violation", event, subscriber, detail: rule });
      const handler = Reflect.apply(init, this, words);
      const position = (positions.get(init) ?? 0) + 1;
      positions.set(init, position);
      note({ kind: "init", event, subscriber, position });
      const set = handler.setContent as Callback;
      let [isSet, last]: [boolean, unknown] = [false, undefined];
      const setContent = (...content: unknown[]): unknown => {
        note({ kind: "content", event, subscriber, position, detail: String(content[0] ?? "") });
        // A redrawn block asks for its wrapper without a content. Not every service leaves the content then.
        if (content.length || !isSet) [isSet, last] = [true, Reflect.apply(set, handler, content)];
        return last;
      };
      return Object.assign(Object.create(handler) as object, { setContent, params: handler.params }) as ContentHandler<unknown>;
    };
  };

  const observed = (event: string, callback: Callback, subscriber: number): Callback =>
    function (this: unknown, ...delivered: unknown[]): unknown {
      const [first, init, ...values] = delivered;
      if (typeof init !== "function") return Reflect.apply(callback, this, delivered);
      const how = live === event ? "live" : "replay";
      const ends = observers.map((observer) => observer.calling({ event, subscriber, how, values }));
      try {
        return Reflect.apply(callback, this, [first, observedInit(init as InitContentHandler<unknown>, event, subscriber), ...values]);
      } catch (error) {
        note({ kind: "exception", event, subscriber, detail: String(error) });
        throw error;
      } finally {
        for (const end of ends) end();
      }
    };

  /** Be the first subscriber of each event, so that a delivery is known before any call of it. */
  const announce = (service: object, subscribe: Subscribe): void => {
    for (const event of events) {
      Reflect.apply(subscribe, service, [
        event,
        (_: unknown, __: unknown, param: Record<string, unknown>, ...updates: unknown[]) => {
          live = event;
          queueMicrotask(() => (live = ""));
          const update = updates.length ? { update: { item: updates[0] } } : {};
          for (const observer of observers) observer.delivering({ event, containers: [document.body], param, ...update });
        },
      ]);
    }
  };

  const observe = (service: unknown): void => {
    const plugins = service as { subscribeEvent?: Subscribe } | null | undefined;
    const subscribe = plugins?.subscribeEvent;
    if (!plugins || typeof subscribe !== "function") return;
    announce(plugins, subscribe);
    plugins.subscribeEvent = function (this: unknown, event, callback, ...rest): unknown {
      if (typeof callback !== "function") return Reflect.apply(subscribe, this, [event, callback, ...rest]);
      const subscriber = ++subscribers;
      note({ kind: "subscribe", event: String(event), subscriber });
      return Reflect.apply(subscribe, this, [event, observed(String(event), callback as Callback, subscriber), ...rest]);
    };
    onDefined(plugins as ServiceGlobal);
  };

  // The watch of rules (harness/awning_harness/public_pages.py) may have defined the property before.
  const before = Object.getOwnPropertyDescriptor(window, name);
  let value: unknown;
  Object.defineProperty(window, name, {
    configurable: true,
    enumerable: true,
    get: () => (before?.get ? (before.get.call(window) as unknown) : value),
    set: (service: unknown) => {
      value = service;
      before?.set?.call(window, service);
      // A page may freeze its global, or change how it works: it then stays as it is, and the inspector sees no events.
      try {
        observe(service);
      } catch {}
    },
  });

  return {
    observe: (observer) => void observers.push(observer),
    watch: (listener) => void listeners.push(listener),
  };
}
