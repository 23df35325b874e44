/** Watches the emulator: its violations, subscriptions to events that it does not fire, and what subscribers read. */
import { hearing } from "./events.ts";
import { lastNothing, locate, watchedArgument } from "./reads.ts";
import { attempt, failed, input, report } from "./reports.ts";
import type { Emulator } from "../emulator/published.ts";
import { window, type Method } from "./dom.ts";

const emulator = window.awningEmulator as Emulator;
export const service = window.svcPlugins as { subscribeEvent: (event: unknown, callback: unknown) => unknown };

const MESSAGES: Record<string, string> = {
  "init-once": "initContentHandler is called more than once for one event",
  "updated-pair": "initContentHandler is called in the callback of an -updated event",
  "init-early": "initContentHandler is called after the callback has returned",
};

/** What happened, in order: `init:svc-content-after-price:`. */
export const trace: string[] = [];
let exception = "";
emulator.watch(({ kind, event, detail }) => {
  if (kind === "exception") {
    failed(detail);
    exception = detail ?? "";
  }
  if (detail === "unhandled-error") {
    report(detail, exception, { field: lastNothing() });
  }
  const message = kind === "violation" && MESSAGES[detail ?? ""];
  trace.push(`${kind}:${event}:${kind === "violation" ? detail : ""}`);
  if (message) {
    report(detail ?? "", message);
  }
});

/** Whether the runtime subscribes. It reads all fields to make the arguments of render functions, which are watched. */
export const subscriber = { isRuntime: false };
const { subscribeEvent } = service;
service.subscribeEvent = function (this: unknown, event, callback) {
  if (typeof event === "string") {
    const names = event.split(/\s+/).filter(Boolean);
    for (const name of names.map((full) => full.split(".")[0] ?? "")) {
      if (!input.events.includes(name)) {
        report("unknown-event", name);
      }
    }
  }
  const isWatched = typeof callback === "function" && !subscriber.isRuntime;
  return subscribeEvent.call(this, event, isWatched ? watching(callback as Method) : callback);
};

const callbacks = new WeakMap<Method, Method>();
/** A callback that gets its arguments watched. One callback has one, as the emulator compares them. */
function watching(callback: Method): Method {
  const known = callbacks.get(callback);
  if (known) {
    return known;
  }
  const watcher: Method = function (event: unknown, init: unknown, ...values: unknown[]) {
    return callback.call(this, event, init, ...values.map(watchedArgument));
  };
  callbacks.set(callback, watcher);
  return watcher;
}

export interface Fired {
  readonly event: string;
  /** The path of an update, by "", and those of its fields. */
  readonly paths: Readonly<Record<string, string>>;
}
export interface Host extends Fired {
  readonly params: Record<string, unknown>;
  readonly updates: readonly Update[];
}
export type Update = Record<string, unknown>;

/**
 * What fires the events of each slot to which nothing listens yet. It is called before the first listener is added; from
 * then on, it is null.
 */
const postponed = new Map<string, Array<() => void> | null>();
hearing.add = (name) => {
  const event = name.replace(/-updated$/, "").split(".")[0] ?? "";
  const waiting = postponed.get(event) ?? [];
  postponed.set(event, null);
  for (const fire of waiting) {
    fire();
  }
};

function whenHeard(event: string, fire: () => void): void {
  const waiting = postponed.get(event);
  if (waiting === null) {
    fire();
  } else {
    postponed.set(event, [...(waiting ?? []), fire]);
  }
}

function fire({ event, paths }: Fired, update: Update): void {
  locate(update, paths[""] ?? "");
  for (const [name, path] of Object.entries(paths)) {
    locate(update[name], path);
  }
  attempt(() => emulator.fire(`${event}-updated`, update));
}

/** Fire the base event of a slot, and its first update. */
export function deliver(host: Host): void {
  const { event, params, updates } = host;
  locate(params, "");
  whenHeard(event, () => {
    attempt(() => emulator.host("#box", event, params));
    const [update] = updates;
    if (update) {
      fire(host, update);
    }
  });
}

/** Fire a later update of a slot. */
export function deliverUpdate(host: Fired, update: Update): void {
  whenHeard(host.event, () => fire(host, update));
}
