/**
 * svcPlugins as the service runs it, for development and tests.
 *
 * It defines the service's global with `subscribeEvent`, and `awningEmulator` for the page that acts as the storefront:
 * `host` creates a host and fires its base event, `fire` fires an event for the newest host of its base event.
 * Each behaviour that the specification does not promise is an assumption (`configure`). `trace` returns what happened.
 * The bundle has no dependencies: load it in the head, after jQuery if the page has it.
 */
import { makeAssumptions, type Answers, type Configuration } from "./assumptions.ts";
import { makeDispatcher, type Callback, type Delivery, type Observer } from "./delivery.ts";
import { makeHost, type Hooks, type Host } from "./host.ts";
import { page$ } from "./jquery.ts";
import { jQueryListeners, nativeListeners } from "./listeners.ts";
import { isElement } from "./manipulation.ts";
import type { Emulator as Published } from "./published.ts";
import { makeSchedule } from "./ready.ts";
import { makeRules } from "./rules.ts";
import { makeTrace, type Entry } from "./trace.ts";

export interface Emulator {
  /** Choose an assumption set (`"hostile"`, `{ assumptionSet: "hostile" }`) and single answers (`{ replay: "none" }`). */
  configure(configuration: Configuration): void;
  /**
   * Create a host in `container` (an element, a jQuery object or a selector) and fire its base event. If `container`
   * matches several elements, each can get a block. Without such an element, nothing is inserted.
   */
  host(container: unknown, event: string, params?: Record<string, unknown>, hooks?: Hooks): void;
  /** Fire an event, `-updated` or base, for the newest host of its base event. Without such a host nothing happens. */
  fire(event: string, updatedItem?: unknown): void;
  /** Allow scripts to leave globals with these names. Without it, each breaks the rule `global-leaked`. */
  allowGlobals(names: readonly string[]): void;
  /** The entries of the trace so far. */
  trace(): Entry[];
  /** Call `listener` with each new entry. */
  watch(listener: (entry: Entry) => void): void;
  /** Tell `observer` about each delivery and each call of a subscriber, with their values. */
  observe(observer: Observer): void;
  /** All present answers. Answers that are not possible with the page's version of jQuery are replaced. */
  assumptions(): Answers;
}

const UPDATED = /-updated$/;

function makeEmulator(): { emulator: Emulator; subscribeEvent(event: unknown, callback: Callback): void } {
  const assumptions = makeAssumptions();
  const trace = makeTrace();
  const rules = makeRules(trace);
  const dispatcher = makeDispatcher(assumptions, assumptions.jquery ? jQueryListeners : nativeListeners, trace, rules);
  const schedule = makeSchedule(assumptions);
  const hosts = new Map<string, Host>();

  function deliver(delivery: Delivery): void {
    if (AWNING_REPEATING.some((name) => delivery.host.event.endsWith(name))) {
      setTimer(delivery);
    }
    dispatcher.deliver(delivery);
  }

  /** Set the timer that repeats an update. It is set before the delivery, so that it fires before the timers of apps. */
  function setTimer(delivery: Delivery): void {
    const { host, update } = delivery;
    const isFirst = !host.updated;
    host.updated ||= update !== undefined;
    if (!assumptions.is(isFirst ? "repeat-first-update" : "repeat-later-updates", "on")) {
      return;
    }
    const repeat = () => schedule.fromTimer(() => dispatcher.deliver(delivery));
    if (!update && isFirst && host.timer === "unset") {
      host.timer = "waiting";
      setTimeout(() => {
        host.timer = "over";
        host.repeat?.();
      }, 0);
    } else if (update && isFirst && host.timer === "waiting") {
      host.repeat = repeat;
    } else if (update) {
      setTimeout(repeat, 0);
    }
  }

  const emulator: Emulator = {
    configure: assumptions.configure,
    allowGlobals: rules.allowGlobals,
    trace: trace.entries,
    watch: trace.watch,
    observe: dispatcher.observe,
    assumptions: assumptions.answers,
    host(container, event, params, hooks = {}) {
      const host = makeHost(elementsOf(container, assumptions.jquery > 0), event, params || {}, hooks);
      hosts.set(event, host);
      host.containers.forEach(rules.contain);
      schedule.fired(() => deliver({ event, host }));
    },
    fire(event, updatedItem) {
      const host = hosts.get(event.replace(UPDATED, ""));
      if (host) {
        schedule.fired(() => deliver(UPDATED.test(event) ? { event, host, update: { item: updatedItem } } : { event, host }));
      }
    },
  };
  return { emulator, subscribeEvent: dispatcher.subscribe };
}

function elementsOf(container: unknown, jquery: boolean): Element[] {
  const elements = jquery
    ? Array.from(page$()(container))
    : typeof container === "string"
      ? [...document.querySelectorAll(container)]
      : isElement(container)
        ? [container]
        : Array.from((container ?? []) as ArrayLike<unknown>);
  const usable = elements.filter(isElement);
  if (!usable.length) {
    console.warn("awningEmulator.host: the container is empty, so that content is seen nowhere:", container);
  }
  return usable;
}

const { emulator, subscribeEvent } = makeEmulator();
const globals = window as unknown as Record<string, unknown>;
globals[typeof AWNING_GLOBAL_NAME === "undefined" ? "svcPlugins" : AWNING_GLOBAL_NAME] = { subscribeEvent };
globals["awningEmulator"] = emulator satisfies Published;
