/**
 * What a page waits for, and what may therefore still change its block. A page that waits for nothing stays as it is, so
 * nobody has to wait for a text that it does not show.
 *
 * In doubt the page waits: a worker or a socket, for example, may send something at any time.
 */
import type { Control } from "./controls.ts";

type Frame = Window & typeof globalThis;

/** What may send something to the page at any time, once it exists or has been called. */
const SENDERS = ["Worker", "SharedWorker", "WebSocket", "WebSocketStream", "WebTransport", "EventSource", "BroadcastChannel", "RTCPeerConnection"];
const CALLS: Readonly<Record<string, readonly string[]>> = {
  Geolocation: ["getCurrentPosition", "watchPosition"],
  LockManager: ["request"],
  ServiceWorkerContainer: ["register"],
};
/** The methods whose promises end soon. The body of a response may come long after its headers. */
const PROMISES: Readonly<Record<string, readonly string[]>> = {
  Blob: ["arrayBuffer", "text"],
  Cache: ["add", "addAll", "delete", "keys", "match", "matchAll", "put"],
  CacheStorage: ["delete", "has", "keys", "match", "open"],
  CookieStore: ["delete", "get", "getAll", "set"],
  FontFaceSet: ["load"],
  HTMLImageElement: ["decode"],
  IDBFactory: ["databases"],
  Permissions: ["query"],
  Response: ["arrayBuffer", "blob", "formData", "json", "text"],
  SubtleCrypto: ["digest"],
};
/** The methods that return what ends soon, with the events of its end. A request to a database is part of a transaction. */
const TRANSACTIONS: Readonly<Record<string, [methods: readonly string[], ends: readonly string[]]>> = {
  IDBFactory: [["open", "deleteDatabase"], ["success", "error"]],
  IDBDatabase: [["transaction"], ["complete", "abort"]],
};
/** Elements that send events of their own, or load what does. */
const LIVELY = "iframe, object, embed, video, audio, animate, animateMotion, animateTransform, set";
const IMPORTS = /\bimport\s*\(/;
/** A page that has sent itself a message within this time is about to receive an event. */
const EVENT_MS = 50;
/** A page that has scrolled may receive one for this many frames, at most for this time: on a busy machine they are far apart. */
const SCROLL_FRAMES = 4;
const SCROLL_MS = 1000;
const SCROLLS = ["scroll", "scrollTo", "scrollBy", "scrollIntoView"];
/** The longest wait for a frame. */
const FRAME_MS = 1000;
const FILES = ["script[src]", ...["stylesheet", "preload", "modulepreload"].map((rel) => `link[rel=${rel}][href]`)].join();

export interface Waits {
  /** When each timer that a trial does not run itself is due (`performance.now()`); an interval, when it was first due. */
  due: Map<object, number>;
  /** What ends soon, and has not ended: requests, animation frames, idle callbacks, tasks, transactions and the like. */
  begun: Set<object>;
  /** The pictures outside of the document that have not ended. */
  pictures: Set<HTMLImageElement>;
  /** The shadow roots of the page: what is in them is in no list of the document's. */
  roots: Set<ShadowRoot>;
  /** When the page has last sent itself a message (`performance.now()`). */
  posted: number;
  /** When the page has last scrolled (`performance.now()`), and how many frames have begun since. */
  scrolled: number;
  frames: number;
  /** Whether something may arrive at any time. */
  isOpen: boolean;
}

export function makeWaits(): Waits {
  return { due: new Map(), begun: new Set(), pictures: new Set(), roots: new Set(), posted: -Infinity, scrolled: -Infinity, frames: 0, isOpen: false };
}

/** Record what the page of a window waits for. Timers of up to `shortest` milliseconds are recorded elsewhere. */
export function watchWaits(frame: Frame, { waits }: Control, shortest: number): void {
  watchLongTimers(frame, waits, shortest);
  watchCallbacks(frame, waits);
  watchTasks(frame, waits, shortest);
  watchRequests(frame, waits);
  watchPictures(frame, waits);
  watchMessages(frame, waits);
  watchScrolling(frame, waits);
  around(frame.Element.prototype, "attachShadow", () => (root) => void waits.roots.add(root as ShadowRoot));
  for (const name of SENDERS) {
    const sender = (frame as unknown as Record<string, (new () => object) | undefined>)[name];
    if (!sender) continue;
    const construct = (target: new () => object, values: unknown[], made: Function): object => {
      waits.isOpen = true;
      return Reflect.construct(target, values, made) as object;
    };
    Object.defineProperty(frame, name, { configurable: true, writable: true, value: new Proxy(sender, { construct }) });
  }
  for (const [name, calls] of Object.entries(CALLS)) {
    for (const call of calls) around(prototypeOf(frame, name), call, () => void (waits.isOpen = true));
  }
}

/** Return the prototype of a class. A page that is not secure (W3C, Secure Contexts) does not have all of them. */
function prototypeOf(frame: Frame, name: string): object | undefined {
  return (frame as unknown as Record<string, { prototype: object } | undefined>)[name]?.prototype;
}

type Begin = (values: unknown[], owner: unknown) => void | ((result: unknown) => void);

/** Call `begin` before each call of a method, and what it returns, if it does, with the result. */
function around(owner: object | undefined, name: string, begin: Begin): void {
  const methods = owner as Record<string, (...values: unknown[]) => unknown> | undefined;
  const method = methods?.[name];
  if (!methods || !method) return;
  methods[name] = function (this: unknown, ...values: unknown[]): unknown {
    const end = begin(values, this);
    const result = Reflect.apply(method, this, values);
    end?.(result);
    return result;
  };
}

function watchLongTimers(frame: Frame, { due }: Waits, shortest: number): void {
  const keys = new Map<number, object>();
  const { setTimeout: set, clearTimeout: clear, setInterval: repeat, clearInterval: end, AbortSignal: signals } = frame;
  const record = (delay: unknown): object => {
    const key = {};
    due.set(key, performance.now() + (Number(delay) || 0));
    return key;
  };
  frame.setTimeout = ((work: TimerHandler, delay = 0, ...rest: unknown[]) => {
    const id = set.call(frame, work, delay, ...rest);
    if (typeof work === "function" && !(delay > shortest)) return id;
    const key = record(delay);
    keys.set(id, key);
    set.call(frame, () => due.delete(key), delay); // after `work`, because it was set after it
    return id;
  }) as typeof frame.setTimeout;
  frame.setInterval = ((work: TimerHandler, delay = 0, ...rest: unknown[]) => {
    const id = repeat.call(frame, work, delay, ...rest);
    if (typeof work !== "function" || delay > shortest) keys.set(id, record(delay));
    return id;
  }) as typeof frame.setInterval;
  const forgetting = (stop: (id?: number) => void) => (id?: number): void => {
    due.delete(keys.get(Number(id)) ?? {});
    stop.call(frame, id);
  };
  frame.clearTimeout = forgetting(clear);
  frame.clearInterval = forgetting(end);
  around(signals, "timeout", ([delay]) => {
    const key = record(delay);
    set.call(frame, () => due.delete(key), Number(delay));
  });
}

/** Call a function of the page. Its exception is reported to the page; the browser would report it to this window. */
export function report(frame: Frame, work: () => void): void {
  try {
    work();
  } catch (error) {
    frame.reportError(error);
  }
}

/** Animation frames and idle callbacks. */
function watchCallbacks(frame: Frame, { begun }: Waits): void {
  const functions = frame as unknown as Record<string, (...values: unknown[]) => unknown>;
  for (const kind of ["AnimationFrame", "IdleCallback"]) {
    const { [`request${kind}`]: request, [`cancel${kind}`]: cancel } = functions;
    const tokens = new Map<unknown, object>();
    const end = (id: unknown): void => {
      begun.delete(tokens.get(id) ?? {});
      tokens.delete(id);
    };
    functions[`request${kind}`] = (work, ...options) => {
      const token = {};
      const run = (moment: unknown): void => {
        end(id);
        report(frame, () => (work as (moment: unknown) => void)(moment));
      };
      const id = request?.call(frame, run, ...options);
      tokens.set(id, token);
      begun.add(token);
      return id;
    };
    functions[`cancel${kind}`] = (id) => {
      end(id);
      cancel?.call(frame, id);
    };
  }
}

function watchTasks(frame: Frame, waits: Waits, shortest: number): void {
  const { scheduler } = frame as Frame & { scheduler?: object };
  around(scheduler, "postTask", ([, options]) => (result) => {
    const { delay = 0 } = Object(options) as { delay?: number };
    const task = result as Promise<unknown>;
    if (!(delay > shortest)) return void underWay(waits, task);
    waits.due.set(task, performance.now() + delay);
    const done = (): void => void waits.due.delete(task);
    task.then(done, done);
  });
}

function watchRequests(frame: Frame, waits: Waits): void {
  const endOf = (target: unknown, ends: readonly string[]): Promise<unknown> =>
    new Promise((done) => ends.forEach((name) => (target as EventTarget).addEventListener(name, done, { once: true })));
  around(frame.XMLHttpRequest.prototype, "send", (_values, request) => {
    const end = endOf(request, ["loadend"]);
    return () => void underWay(waits, end);
  });
  for (const [name, [methods, ends]] of Object.entries(TRANSACTIONS)) {
    for (const method of methods) around(prototypeOf(frame, name), method, () => (result) => void underWay(waits, endOf(result, ends)));
  }
  for (const [name, methods] of Object.entries(PROMISES)) {
    for (const method of methods) around(prototypeOf(frame, name), method, () => (result) => void underWay(waits, result as Promise<unknown>));
  }
}

/** Treat work as under way until the page has had time to use its result. Returns the work. */
export function underWay<Value>({ begun }: Waits, work: Promise<Value>): Promise<Value> {
  begun.add(work);
  const done = (): void => void setTimeout(() => begun.delete(work), 0);
  work.then(done, done);
  return work;
}

/** A page may send itself one message after the other, as schedulers do. */
function watchMessages(frame: Frame, waits: Waits): void {
  const note = (): void => void (waits.posted = performance.now());
  around(frame, "postMessage", note);
  around(frame.MessagePort.prototype, "postMessage", note);
}

/** Smooth scrolling goes on in frames, each with an event, and ends with `scrollend`. */
function watchScrolling(frame: Frame, waits: Waits): void {
  let isCounting = false;
  const countFrames = (): void => {
    waits.frames += 1;
    isCounting = waits.frames < SCROLL_FRAMES;
    if (isCounting) requestAnimationFrame(countFrames);
  };
  const note = (): void => {
    waits.scrolled = performance.now();
    waits.frames = 0;
    if (isCounting) return;
    isCounting = true;
    requestAnimationFrame(countFrames);
  };
  for (const name of SCROLLS) for (const owner of [frame, frame.Element.prototype]) around(owner, name, note);
  for (const property of ["scrollTop", "scrollLeft"]) {
    const own = Object.getOwnPropertyDescriptor(frame.Element.prototype, property) as PropertyDescriptor;
    const set = function (this: Element, to: number): void {
      note();
      own.set?.call(this, to);
    };
    Object.defineProperty(frame.Element.prototype, property, { ...own, set });
  }
  frame.addEventListener("scroll", note, { capture: true, passive: true });
}

/** A picture that is not in the document yet loads as soon as its address is set. */
function watchPictures(frame: Frame, { pictures }: Waits): void {
  const { prototype } = frame.HTMLImageElement;
  const source = Object.getOwnPropertyDescriptor(prototype, "src") as PropertyDescriptor;
  Object.defineProperty(prototype, "src", {
    ...source,
    set(this: HTMLImageElement, address: string) {
      pictures.add(this);
      for (const name of ["load", "error"]) this.addEventListener(name, () => pictures.delete(this), { once: true });
      source.set?.call(this, address);
    },
  });
}

/** Return whether something is under way on the page that ends soon. */
export function isBusy({ waits, shown, isLeaving }: Control): boolean {
  if (isLeaving || waits.begun.size) return true;
  return [...waits.pictures, ...(shown?.images ?? [])].some(({ complete, loading }) => !complete && loading !== "lazy");
}

/** Return whether something that the page waits for may change it before `end` (`performance.now()`). */
export function isWaiting({ document, performance }: Frame, own: Control, end: number): boolean {
  const { waits, timers } = own;
  if (waits.isOpen || isBusy(own) || timers.size || timers.hasInterval) return true;
  if ([...waits.due.values()].some((due) => due <= end)) return true;
  if (window.performance.now() - waits.posted < EVENT_MS) return true;
  if (window.performance.now() - waits.scrolled < SCROLL_MS && waits.frames < SCROLL_FRAMES) return true;
  if (document.readyState !== "complete" || document.fonts.status === "loading") return true;
  return [document, ...waits.roots].some((root) => isLively(root) || isLoading(root, performance));
}

/** Whether the page observes sizes or places. Its observers learn of a change in the next frame. */
export function isObserved({ begun }: Control): boolean {
  return [...begun.observers.keys()].some((observer) => "unobserve" in (observer as object)); // no MutationObserver has it
}

/**
 * Wait until a frame has ended: events of animations have come, and observers have learnt what has changed, because a new
 * one of this window has learnt of its target.
 */
export async function nextFrame({ shown }: Control): Promise<void> {
  const target = shown?.documentElement;
  if (!target) return;
  await new Promise<void>((done) => {
    const observer = new IntersectionObserver(end);
    const limit = setTimeout(end, FRAME_MS);
    function end(): void {
      clearTimeout(limit);
      observer.disconnect();
      done();
    }
    observer.observe(target);
  });
}

function isLively(root: Document | ShadowRoot): boolean {
  if (root.querySelector(LIVELY) || root.getAnimations().some(({ playState }) => playState === "running")) return true;
  return [...root.querySelectorAll("script")].some(({ text }) => IMPORTS.test(text));
}

/** Whether a script or a style sheet is on its way. What has arrived or failed has an entry. */
function isLoading(root: Document | ShadowRoot, performance: Performance): boolean {
  const ended = new Set(performance.getEntriesByType("resource").map(({ name }) => name));
  const files = [...root.querySelectorAll<HTMLScriptElement & HTMLLinkElement>(FILES)];
  return files.map(({ src, href }) => src || href).some((address) => /^https?:/.test(address) && !ended.has(address));
}
