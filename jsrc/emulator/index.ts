/**
 * svcPlugins as the service runs it, for development and tests.
 *
 * Defines the service's global with `subscribeEvent`, and `awningEmulator` for the page that plays the storefront:
 * `host` makes a place for content and fires its base event, `fire` fires an `-updated` event for the last host of
 * that name. Every behaviour that the specification does not promise is a switch (`configure`); what happened is in
 * `trace`. One self-contained script: load it in the head, after jQuery where there is one.
 */
import { makeAssumptions, type Answers, type Configuration } from "./assumptions.ts";
import { makeDispatcher, type Callback, type Delivery } from "./delivery.ts";
import { makeHost, type Hooks, type Host } from "./host.ts";
import { makeSchedule } from "./ready.ts";
import { makeRules } from "./rules.ts";
import { makeTrace, type Entry } from "./trace.ts";

export interface Emulator {
  /** Choose a profile (`"hostile"`, `{ profile: "hostile" }`) and single answers (`{ replay: "none" }`). */
  configure(configuration: Configuration): void;
  /** Make a host in `container` (an element, a jQuery object or a selector) and fire its base event. */
  host(container: unknown, event: string, params: Record<string, unknown>, hooks?: Hooks): void;
  /** Fire an event for the last host of its name; without such a host nothing happens. */
  fire(event: string, updatedItem?: unknown): void;
  /** What happened so far. */
  trace(): Entry[];
  /** Call `listener` for everything that happens from now on. */
  watch(listener: (entry: Entry) => void): void;
  /** All answers in force: some need jQuery on the page. */
  assumptions(): Answers;
}

const UPDATED = /-updated$/;
const PRICE_UPDATED = /after-price-updated$/;

function makeEmulator(): { emulator: Emulator; subscribeEvent(event: string, callback: Callback): void } {
  const assumptions = makeAssumptions();
  const trace = makeTrace();
  const rules = makeRules(trace);
  const dispatcher = makeDispatcher(assumptions, trace, rules);
  const schedule = makeSchedule(assumptions);
  const hosts = new Map<string, Host>();

  function deliver(delivery: Delivery): void {
    const { host, event, update } = delivery;
    const first = !host.updated;
    host.updated ||= update !== undefined;
    const repeat = update && PRICE_UPDATED.test(event) && assumptions.is(first ? "repeat-first-update" : "repeat-later-updates", "on");
    try {
      dispatcher.deliver(delivery);
    } finally {
      if (repeat) {
        setTimeout(() => schedule.fromTimer(() => dispatcher.deliver(delivery)), 0);
      }
    }
  }

  const emulator: Emulator = {
    configure: assumptions.configure,
    trace: trace.entries,
    watch: trace.watch,
    assumptions: assumptions.answers,
    host(container, event, params, hooks = {}) {
      const host = makeHost(toElement(container), event, params, hooks);
      hosts.set(event, host);
      rules.contain(host.container);
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

function toElement(container: unknown): Element {
  const found = typeof container === "string" ? document.querySelector(container) : container;
  const element = found instanceof Element ? found : (found as ArrayLike<unknown> | null)?.[0];
  if (!(element instanceof Element)) {
    throw new Error(`there is no element for the container ${String(container)}`);
  }
  return element;
}

const { emulator, subscribeEvent } = makeEmulator();
const globals = window as unknown as Record<string, unknown>;
globals[typeof AWNING_GLOBAL_NAME === "undefined" ? "svcPlugins" : AWNING_GLOBAL_NAME] = { subscribeEvent };
globals["awningEmulator"] = emulator;
