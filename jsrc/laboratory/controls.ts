/** Replaces the functions of a frame's window that a trial controls: requests to other hosts, storage, timers, dialogs. */
import { Timers } from "./timers.ts";
import type { Trial } from "./trial.ts";
import { makeWaits, watchWaits, type Waits } from "./waits.ts";

/** A trial runs timers of up to this many milliseconds, but not longer ones, such as those of a clock. */
const LONGEST_TIMER_MS = 400;
const SHORTEST_INTERVAL_MS = 4;
/** How long a page that is being left is waited for. One that is still there has only begun a download, for example. */
const LEAVE_MS = 3000;

type Frame = Window & typeof globalThis;

export interface Counts {
  /** The listeners of the window, the document, and the document's root element and body. */
  listeners: number;
  intervals: number;
  observers: number;
}

/** What is recorded about the windows of a trial's frame. */
export interface Control {
  trial: Trial;
  /** The document of the trial's page; null before it is opened. */
  shown: Document | null;
  errors: string[];
  ran: string[];
  asked: string[];
  /** What is under way in real time: requests and animation frames; the window while its page is being left. */
  pending: Set<object>;
  /** Called LEAVE_MS after the browser has loaded the page, or has stopped loading it. */
  endLoading: () => void;
  /** Whether the page has stopped loading, because a script leads elsewhere, to a download for example. */
  isStopped: boolean;
  /** Short timers, and the delays of responses. */
  timers: Timers;
  /** Whether responses are held now, and what lets each of them arrive, in the order of the requests. */
  isHolding: boolean;
  held: (() => void)[];
  /** What else may change the page later. */
  waits: Waits;
  counts: Counts;
  /** What has begun and has not ended, each with the error that has its stack; without a stack unless the trial is traced. */
  begun: Record<keyof Counts, Map<unknown, Error | null>>;
  /** Whether a window has stored a cookie, a database or a cache. */
  hasStored: boolean;
  /** Whether the trial has ended, so that its frame is removed. */
  isOver: boolean;
}

export function makeControl(trial: Trial): Control {
  const counts = { listeners: 0, intervals: 0, observers: 0 };
  const begun = { listeners: new Map(), intervals: new Map(), observers: new Map() };
  return { trial, shown: null, errors: [], ran: [], asked: [], pending: new Set(), endLoading: () => {}, isStopped: false, timers: new Timers(trial.moves.includes("shifts")), isHolding: false, held: [], waits: makeWaits(), counts, begun, hasStored: false, isOver: false };
}

/** Take control of a window, before any JavaScript of its page runs. */
export function control(frame: Frame, own: Control): void {
  watchErrors(frame, own);
  watchWaits(frame, own, LONGEST_TIMER_MS); // before `watchTimers`, whose timers are in this window's, too
  watchTimers(frame, own);
  countGrowth(frame, own);
  answerRequests(frame, own);
  watchXmlHttpRequests(frame, own);
  watchStorage(frame, own);
  if (own.trial.storageBlocked) blockStorage(frame);
  for (const name of ["alert", "confirm", "prompt", "print", "pwn"]) {
    Object.defineProperty(frame, name, { configurable: true, writable: true, value: () => void own.ran.push(name) });
  }
}

/** Listen for errors, and for the page's being left. Call this after `document.open()`, which removes all listeners. */
export function listen(frame: Frame, own: Control): void {
  frame.addEventListener("error", (event) => {
    if (event.message) own.errors.push(withStack(event.message, event.error));
  });
  frame.addEventListener("unhandledrejection", ({ reason }) => {
    own.errors.push(withStack(`unhandled rejection: ${String(reason)}`, reason));
  });
  frame.addEventListener("beforeunload", () => {
    if (frame.document !== own.shown) return; // the empty page of a new frame
    own.pending.add(frame);
    setTimeout(() => own.pending.delete(frame), LEAVE_MS);
  });
  // A page without a body fires no `beforeunload` (observed).
  frame.document.addEventListener("readystatechange", () => {
    if (frame.document === own.shown && own.shown.readyState === "complete") setTimeout(() => own.endLoading(), LEAVE_MS);
  });
}

/** Return a text with the frames of an error's stack below it, as the console of the browser shows them. */
function withStack(text: string, error: unknown): string {
  const { stack } = Object(error) as { stack?: unknown };
  const frames = typeof stack === "string" ? stack.split("\n").filter((line) => /^ +at /.test(line)) : [];
  return [text, ...frames].join("\n");
}

function watchErrors(frame: Frame, own: Control): void {
  const write = frame.console.error;
  frame.console.error = (...values: unknown[]) => {
    own.errors.push(withStack(values.map(String).join(" "), values.find((value) => Object(value) === value && "stack" in (value as object))));
    write.apply(frame.console, values);
  };
}

function watchTimers(frame: Frame, { pending, timers }: Control): void {
  const keys = new Map<number, object>();
  const { setTimeout: set, clearTimeout: clear, setInterval: repeat, clearInterval: end, requestAnimationFrame: request, cancelAnimationFrame: cancel } = frame;
  frame.setTimeout = ((work: unknown, delay = 0, ...rest: unknown[]) => {
    if (typeof work !== "function" || delay > LONGEST_TIMER_MS) return set.call(frame, work as TimerHandler, delay, ...rest);
    const key = timers.add(Math.max(0, Number(delay) || 0), () => {
      clear.call(frame, id);
      report(frame, () => (work as (...values: unknown[]) => void)(...rest));
    });
    const id = set.call(frame, () => timers.runUntil(key), delay);
    keys.set(id, key);
    return id;
  }) as typeof frame.setTimeout;
  frame.setInterval = ((work: unknown, delay = 0, ...rest: unknown[]) => {
    if (typeof work !== "function" || delay > LONGEST_TIMER_MS) return repeat.call(frame, work as TimerHandler, delay, ...rest);
    const period = Math.max(SHORTEST_INTERVAL_MS, Number(delay) || 0);
    const key = timers.add(period, () => report(frame, () => (work as (...values: unknown[]) => void)(...rest)), period);
    const id = repeat.call(frame, () => timers.runUntil(key), period);
    keys.set(id, key);
    return id;
  }) as typeof frame.setInterval;
  // Either ends a timer of both kinds (HTML, 8.6).
  const forgetting = (stop: (id?: number) => void) => (id?: number): void => {
    timers.delete(keys.get(Number(id)) ?? {});
    stop.call(frame, id);
  };
  frame.clearTimeout = forgetting(clear);
  frame.clearInterval = forgetting(end);
  const frames = new Map<number, object>();
  frame.requestAnimationFrame = (work) => {
    const token = {};
    pending.add(token);
    const id = request.call(frame, (time) => {
      pending.delete(token);
      frames.delete(id);
      report(frame, () => work(time));
    });
    frames.set(id, token);
    return id;
  };
  frame.cancelAnimationFrame = (id) => {
    pending.delete(frames.get(id) ?? {});
    cancel.call(frame, id);
  };
}

/** Call a function of the page. Its exception is reported to the page; the browser would report it to this window. */
function report(frame: Frame, work: () => void): void {
  try {
    work();
  } catch (error) {
    frame.reportError(error);
  }
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

function countGrowth(frame: Frame, { trial, counts, begun }: Control): void {
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
  const { setInterval: set, clearInterval: clear } = frame;
  frame.setInterval = ((...values: Parameters<typeof set>) => {
    const id = set.apply(frame, values);
    begin("intervals", id);
    return id;
  }) as typeof frame.setInterval;
  frame.clearInterval = ((id: number) => {
    end("intervals", id);
    clear.call(frame, id);
  }) as typeof frame.clearInterval;
  for (const name of ["MutationObserver", "ResizeObserver", "IntersectionObserver"] as const) {
    const value = new Proxy(frame[name], {
      construct(target, values: unknown[]) {
        begin("observers", {});
        return Reflect.construct(target, values) as object;
      },
    });
    Object.defineProperty(frame, name, { configurable: true, writable: true, value });
  }
}

function answerRequests(frame: Frame, own: Control): void {
  const { fetch } = frame;
  let requests = 0;
  const answering: typeof fetch = async (input, options) => {
    const address = typeof input === "object" && "url" in input ? input.url : String(input);
    const url = new URL(address, frame.document.baseURI);
    if (url.origin === frame.location.origin || url.origin === location.origin) {
      return follow(own, fetch.call(frame, input, options));
    }
    own.asked.push(url.href);
    const { answers = {}, delays = [0] } = own.trial;
    const answer = answers[url.href in answers ? url.href : `${url.origin}${url.pathname}`];
    const signal = options?.signal ?? (typeof input === "object" && "signal" in input ? input.signal : null);
    signal?.throwIfAborted();
    const aborted = new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }));
    if (answer === null) return aborted;
    const failure = answer?.status ? undefined : thrownBy(frame, new frame.TypeError("Failed to fetch"), answering);
    if (!answer) throw failure;
    const delay = delays[requests++ % delays.length] ?? 0;
    const arrived = new Promise<void>((arrive) => {
      if (own.isHolding) {
        own.held.push(arrive);
        return;
      }
      const key = own.timers.add(delay, arrive);
      setTimeout(() => own.timers.runUntil(key), delay);
    });
    try {
      await Promise.race([arrived, aborted]);
    } finally {
      void follow(own, Promise.resolve());
    }
    if (failure) throw failure;
    const body = [204, 205, 304].includes(answer.status) ? null : answer.body;
    return new frame.Response(body, { status: answer.status, headers: { "content-type": answer.type } });
  };
  frame.fetch = answering;
}

/** Give an error the stack that the browser's own would have: that of the script which called the function `called`. */
function thrownBy<Thrown extends object>(frame: Frame, error: Thrown, called: Function): Thrown {
  (frame.Error as ErrorConstructor & { captureStackTrace(error: object, below: Function): void }).captureStackTrace(error, called);
  return error;
}

/** Treat each XMLHttpRequest as under way until the page has had time to use the response. */
function watchXmlHttpRequests(frame: Frame, own: Control): void {
  const { prototype } = frame.XMLHttpRequest;
  const { send } = prototype;
  prototype.send = function (body) {
    const ended = new Promise((done) => this.addEventListener("loadend", done));
    send.call(this, body);
    void follow(own, ended);
  };
}

/** Treat a request as under way until the page has had time to use the response. */
async function follow<Value>({ pending }: Control, request: Promise<Value>): Promise<Value> {
  const token = {};
  pending.add(token);
  const done = (): void => void setTimeout(() => pending.delete(token), 0);
  request.then(done, done);
  return request;
}

/**
 * Note when a page stores a cookie, a database or a cache. To ask the browser for what is stored would take a tenth of
 * the time of a trial. A worker and a frame of the page are not watched.
 */
function watchStorage(frame: Frame, own: Control): void {
  const { prototype } = frame.Document;
  const cookie = Object.getOwnPropertyDescriptor(prototype, "cookie") as PropertyDescriptor;
  Object.defineProperty(prototype, "cookie", {
    ...cookie,
    set(text: string) {
      // The frame is being removed. The browser could store a cookie that is written now during a later trial.
      if (own.isOver) return;
      own.hasStored = true;
      cookie.set?.call(this, text);
    },
  });
  const stores = { IDBFactory: "open", CacheStorage: "open", CookieStore: "set" };
  for (const [name, method] of Object.entries(stores)) {
    const methods = (frame as unknown as Record<string, { prototype: Record<string, unknown> } | undefined>)[name]?.prototype;
    const store = methods?.[method] as ((...values: unknown[]) => unknown) | undefined;
    if (!methods || !store) continue;
    methods[method] = function (...values: unknown[]): unknown {
      own.hasStored = true;
      return Reflect.apply(store, this, values);
    };
  }
}

function blockStorage(frame: Frame): void {
  const refuse = (): never => {
    throw thrownBy(frame, new frame.DOMException("Access is denied for this document.", "SecurityError"), refuse);
  };
  for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
    Object.defineProperty(frame, name, { configurable: true, get: refuse });
  }
  Object.defineProperty(frame.document, "cookie", { configurable: true, get: () => "", set: () => {} });
}
