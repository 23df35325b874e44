/** Replaces the functions of a frame's window that a trial controls: requests to other hosts, storage, timers, dialogs. */
import { countGrowth, type Counts } from "./growth.ts";
import { Timers } from "./timers.ts";
import type { Trial } from "./trial.ts";
import { makeWaits, report, underWay, watchWaits, type Waits } from "./waits.ts";

/** A trial runs timers of up to this many milliseconds, but not longer ones, such as those of a clock. */
const LONGEST_TIMER_MS = 400;
const SHORTEST_INTERVAL_MS = 4;
/** How long a page that is being left is waited for. One that is still there has only begun a download, for example. */
const LEAVE_MS = 3000;

type Frame = Window & typeof globalThis;

/** What is recorded about the windows of a trial's frame. */
export interface Control {
  trial: Trial;
  /** The document of the trial's page; null before it is opened. */
  shown: Document | null;
  errors: string[];
  ran: string[];
  asked: string[];
  /** Whether the page is being left. */
  isLeaving: boolean;
  /** Whether animations and transitions of the page begin, and are brought to their ends. */
  hasMotion: boolean;
  /** Called LEAVE_MS after the browser has loaded the page, or has stopped loading it. */
  endLoading: () => void;
  /** Whether the page has stopped loading, because a script leads elsewhere, to a download for example. */
  isStopped: boolean;
  /** Short timers, and the delays of responses. */
  timers: Timers;
  /** Whether responses are held now, and what lets each of them arrive, in the order of the requests. */
  isHolding: boolean;
  held: (() => void)[];
  /** What is under way in real time, and what else may change the page later. */
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
  return { trial, shown: null, errors: [], ran: [], asked: [], isLeaving: false, hasMotion: false, endLoading: () => {}, isStopped: false, timers: new Timers(trial.moves.includes("shifts")), isHolding: false, held: [], waits: makeWaits(), counts, begun, hasStored: false, isOver: false };
}

/** Take control of a window, before any JavaScript of its page runs. */
export function control(frame: Frame, own: Control): void {
  watchErrors(frame, own);
  watchWaits(frame, own, LONGEST_TIMER_MS); // before `watchTimers`, whose timers are in this window's, too
  watchTimers(frame, own);
  countGrowth(frame, own);
  answerRequests(frame, own);
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
    own.isLeaving = true;
    setTimeout(() => (own.isLeaving = false), LEAVE_MS);
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

function watchTimers(frame: Frame, { timers }: Control): void {
  const keys = new Map<number, object>();
  const { setTimeout: set, clearTimeout: clear, setInterval: repeat, clearInterval: end } = frame;
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
}

function answerRequests(frame: Frame, own: Control): void {
  const { fetch } = frame;
  let requests = 0;
  const answering: typeof fetch = async (input, options) => {
    const address = typeof input === "object" && "url" in input ? input.url : String(input);
    const url = new URL(address, frame.document.baseURI);
    // Of a scheme that nothing can fetch, as hostile app data have, the console would have an error of the browser.
    const isOtherHost = !/^(?:data|blob):$/.test(url.protocol) && url.origin !== frame.location.origin && url.origin !== location.origin;
    if (!isOtherHost) return underWay(own.waits, fetch.call(frame, input, options));
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
      void underWay(own.waits, Promise.resolve());
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
