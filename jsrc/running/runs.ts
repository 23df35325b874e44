/** The course of a life: what the parent process calls, in `__page`. */
import { beginDate, forget, next, state } from "./clock.ts";
import { progress } from "./document.ts";
import { body, document, head, window } from "./dom.ts";
import { actions } from "./events.ts";
import { running } from "./insertion.ts";
import { counters, exported } from "./instrumentation.ts";
import { defineMutationObserver } from "./observers.ts";
import { reads } from "./reads.ts";
import { attempt, failed, input, outcome, type Input } from "./reports.ts";
import { deliver, deliverUpdate, service, subscriber, trace, type Fired, type Host, type Update } from "./subscriptions.ts";
import { unknown } from "./unknown.ts";
import { location } from "./url.ts";
import { keep } from "../runtime/keep.ts";
import { later } from "../runtime/later.ts";
import { run } from "../runtime/running.ts";

/** Timers that are due later than this, in milliseconds, do not run. */
const LATEST = 1e7;
const MOST_ACTIONS = 40;
/** The handlers of elements that the page does not call as a shopper would. */
const LOADS = /^on(?:load|error|readystatechange)$/;

function runExportedSlots(): void {
  const slots = exported.default;
  if (!Array.isArray(slots)) {
    return;
  }
  const t = (key: unknown): string => String(key);
  subscriber.isRuntime = true;
  attempt(() =>
    run("widget", "aw-check", slots, later("widget", keep), (page: unknown) => ({
      page,
      data: unknown("data") as unknown,
      t,
      language: "en",
    }) as never),
  );
  subscriber.isRuntime = false;
}

function callHandlers(element: Element): void {
  const members = element as unknown as Record<string, unknown>;
  for (const name of Object.keys(element)) {
    const handler = members[name];
    if (/^on[a-z]+$/.test(name) && !LOADS.test(name) && typeof handler === "function") {
      attempt(() => Reflect.apply(handler, element, [new Event(name.slice(2))]) as unknown);
    }
  }
}

const page = {
  begin(given: Input): void {
    Object.assign(input, given);
    window.__prefix = given.prefix;
    window[given.global] = service;
    if (given.global !== "svcPlugins") {
      delete window.svcPlugins;
    }
    defineMutationObserver();
    beginDate(given.now);
    const { random } = given;
    if (random !== null) {
      Math.random = () => random;
    }
    Object.assign(location, given.location);
    for (const name of given.globals) {
      if (!(name in window)) {
        window[name] = unknown(name);
      }
    }
    if (given.headHtml) {
      head.innerHTML = given.headHtml;
    }
    if (given.bodyHtml) {
      body.insertAdjacentHTML("beforeend", given.bodyHtml);
    }
    outcome.findings.length = 0;
    outcome.left = "";
    input.loaded = true;
  },
  /** Before a script runs. In the page's head there is no body yet. */
  script(isEarly: boolean): void {
    input.early = isEarly && input.head !== "there";
    if (input.early) {
      body.remove();
    }
    const element = document.createElement("script");
    running.add(element);
    (isEarly ? head : body).insertBefore(element, null);
    progress.currentScript = element;
    state.at = -1;
  },
  /** Whether the running script has begun. One that has not cannot be read by the engine. */
  began: (): boolean => state.at !== -1,
  /** After a script. `error` is its exception, or "". */
  ended(error: string): void {
    if (error) {
      failed(error);
    }
    progress.currentScript = null;
    const wasEarly = input.early;
    input.early = false;
    if (wasEarly) {
      document.documentElement.appendChild(body);
    }
  },
  afterScripts: runExportedSlots,
  ready(): void {
    progress.readyState = "interactive";
    document.dispatchEvent(new Event("readystatechange"));
    document.dispatchEvent(new Event("DOMContentLoaded", { bubbles: true }));
    progress.readyState = "complete";
    document.dispatchEvent(new Event("readystatechange"));
    for (const type of ["load", "pageshow"]) {
      globalThis.dispatchEvent(new Event(type));
    }
  },
  host: (host: Host): void => deliver(host),
  update: ([host, update]: [Fired, Update]): void => deliverUpdate(host, update),
  task: (): boolean => next(LATEST, attempt),
  /** Do what a shopper may do. */
  act(): void {
    for (const action of actions.splice(0, MOST_ACTIONS)) {
      attempt(() => {
        if (typeof action === "function") {
          action();
          return;
        }
        const event = new Event(action.type, { bubbles: true, cancelable: true });
        action.target.dispatchEvent(Object.assign(event, { key: "Enter", data: {}, clientX: 0, clientY: 0 }));
      });
    }
    for (const element of body.querySelectorAll("*")) {
      callHandlers(element);
    }
  },
  /** What the page shows, to compare it with that of another version of the scripts. */
  html: (): string => body.innerHTML,
  result: (): string =>
    JSON.stringify({
      ...reads(),
      findings: outcome.findings,
      failures: outcome.failures,
      left: outcome.left,
      trace,
      counters: [...counters],
      at: state.at,
    }),
};

forget();
window.__page = page;
