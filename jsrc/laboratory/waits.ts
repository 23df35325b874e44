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
  CacheStorage: ["open", "match"],
  Geolocation: ["getCurrentPosition", "watchPosition"],
  IDBFactory: ["open"],
  LockManager: ["request"],
  ServiceWorkerContainer: ["register"],
};
/** Elements that send events of their own, or load what does. */
const LIVELY = "iframe, object, embed, video, audio, animate, animateMotion, animateTransform, set";
const IMPORTS = /\bimport\s*\(/;
/** The methods that read the body of a response, which may come long after its headers. */
const READS = ["arrayBuffer", "blob", "formData", "json", "text"];
/** A page that has sent itself a message within this time is about to receive an event. */
const EVENT_MS = 50;
/** A page that has scrolled may receive one for this many frames, at most for this time: on a busy machine they are far apart. */
const SCROLL_FRAMES = 4;
const SCROLL_MS = 1000;
const SCROLLS = ["scroll", "scrollTo", "scrollBy", "scrollIntoView"];
const FILES = ["script[src]", ...["stylesheet", "preload", "modulepreload"].map((rel) => `link[rel=${rel}][href]`)].join();

export interface Waits {
  /** When each timer that a trial does not run itself is due (`performance.now()`); an interval, when it was first due. */
  due: Map<object, number>;
  /** Idle callbacks, tasks, reads of responses, and pictures outside of the document that have not ended. */
  begun: Set<object>;
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
  return { due: new Map(), begun: new Set(), roots: new Set(), posted: -Infinity, scrolled: -Infinity, frames: 0, isOpen: false };
}

/** Record what the page of a window waits for. Timers of up to `shortest` milliseconds are recorded elsewhere. */
export function watchWaits(frame: Frame, { waits }: Control, shortest: number): void {
  watchLongTimers(frame, waits, shortest);
  watchTasks(frame, waits);
  watchPictures(frame, waits);
  watchMessages(frame, waits);
  watchScrolling(frame, waits);
  watchReads(frame, waits);
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
    const prototype = (frame as unknown as Record<string, { prototype: object } | undefined>)[name]?.prototype;
    for (const call of prototype ? calls : []) around(prototype as object, call, () => void (waits.isOpen = true));
  }
}

/** Call `begin` before each call of a method, and what it returns, if it does, with the result. */
function around(owner: object, name: string, begin: (values: unknown[]) => void | ((result: unknown) => void)): void {
  const methods = owner as Record<string, (...values: unknown[]) => unknown>;
  const method = methods[name];
  if (!method) return;
  methods[name] = function (this: unknown, ...values: unknown[]): unknown {
    const end = begin(values);
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

function watchTasks(frame: Frame, { begun }: Waits): void {
  const { requestIdleCallback: request, cancelIdleCallback: cancel } = frame;
  const idle = new Map<number, object>();
  frame.requestIdleCallback = (work, options) => {
    const token = {};
    begun.add(token);
    const id = request.call(frame, (deadline) => {
      begun.delete(token);
      work(deadline);
    }, options);
    idle.set(id, token);
    return id;
  };
  frame.cancelIdleCallback = (id) => {
    begun.delete(idle.get(id) ?? {});
    cancel.call(frame, id);
  };
  const { scheduler } = frame as Frame & { scheduler?: { postTask(...values: unknown[]): Promise<unknown> } };
  if (!scheduler) return;
  around(scheduler, "postTask", () => (task) => watchPromise(task as Promise<unknown>, begun));
}

function watchPromise(work: Promise<unknown>, begun: Set<object>): void {
  begun.add(work);
  const done = (): void => void begun.delete(work);
  work.then(done, done);
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

function watchReads({ Response: { prototype } }: Frame, { begun }: Waits): void {
  for (const read of READS) around(prototype, read, () => (body) => watchPromise(body as Promise<unknown>, begun));
}

/** A picture that is not in the document yet loads as soon as its address is set. */
function watchPictures(frame: Frame, { begun }: Waits): void {
  const { prototype } = frame.HTMLImageElement;
  const source = Object.getOwnPropertyDescriptor(prototype, "src") as PropertyDescriptor;
  Object.defineProperty(prototype, "src", {
    ...source,
    set(this: HTMLImageElement, address: string) {
      begun.add(this);
      for (const name of ["load", "error"]) this.addEventListener(name, () => begun.delete(this), { once: true });
      source.set?.call(this, address);
    },
  });
}

/** Return whether something that the page waits for may change it before `end` (`performance.now()`). */
export function isWaiting({ document, performance }: Frame, { waits, timers, pending }: Control, end: number): boolean {
  if (waits.isOpen || pending.size || timers.size || timers.hasInterval) return true;
  if ([...waits.begun].some((each) => !(each as Partial<HTMLImageElement>).complete)) return true;
  if ([...waits.due.values()].some((due) => due <= end)) return true;
  if (window.performance.now() - waits.posted < EVENT_MS) return true;
  if (window.performance.now() - waits.scrolled < SCROLL_MS && waits.frames < SCROLL_FRAMES) return true;
  if (document.readyState !== "complete" || document.fonts.status === "loading") return true;
  return [document, ...waits.roots].some((root) => isLively(root) || isLoading(root, performance));
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
