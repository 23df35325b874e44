/**
 * Calls the subscribers of an event, and handles their exceptions.
 *
 * A delivery calls all subscribers of one event. By default, the last delivery of each event is stored and replayed to
 * later subscribers.
 */
import type { ContentHandler } from "../types/index.ts";
import type { Assumptions } from "./assumptions.ts";
import { makeContent, type Host } from "./host.ts";
import type { JQueryEvent } from "./jquery.ts";
import { nativeListeners, type Listeners } from "./listeners.ts";
import type { Rules } from "./rules.ts";
import type { Trace } from "./trace.ts";

export type Callback = (...delivered: unknown[]) => unknown;

export interface Subscription {
  id: number;
  callback: Callback;
}

export interface Delivery {
  event: string;
  host: Host;
  /**
   * `item` is the fourth argument of subscribers. A base event has no `update`: its subscribers get three arguments.
   */
  update?: { item: unknown };
}

/** A delivery with its state. All subscribers get the same `init`. All replays get the same event object, `replayed`. */
interface Arrival extends Delivery {
  init: () => ContentHandler<unknown>;
  replayed: { type: string };
  /** A plain object that live calls get instead of jQuery's event or the native event, if an assumption says so. */
  bare: { type: string };
  /** Whether the listeners of the delivery are being called now. */
  running: boolean;
  /**
   * Whether a subscriber called `stopImmediatePropagation` of the native event. jQuery does not notice this call, so
   * `receive` skips the subscribers that follow.
   */
  stopped: boolean;
  /**
   * The exception of a subscriber that the browser called. The browser would not pass it on to the code that fired the
   * event, so `raise` throws it.
   */
  thrown?: { error: unknown };
  /** The last call of each subscriber, by subscription number. */
  calls: Map<number, Call>;
  /** The first subscription that took a block, by callback. A second block for the same callback breaks a rule. */
  claims: Map<Callback, number>;
}

/** One call of a subscriber. */
interface Call {
  subscription: Subscription;
  arrival: Arrival | undefined;
  param: Record<string, unknown>;
  content?: ContentHandler<unknown>;
}

/** A delivery, as an observer gets it. `update` is missing for a base event. */
export type ObservedDelivery = Pick<Host, "containers" | "param"> & Pick<Delivery, "event" | "update">;

/** A call of a subscriber, as an observer gets it. `values` are the arguments after initContentHandler. */
export interface ObservedCall {
  event: string;
  subscriber: number;
  how: "live" | "replay";
  values: readonly unknown[];
}

/** A tool that follows deliveries with their values. It must not change the values. */
export interface Observer {
  /** An event is about to be delivered to its subscribers. */
  delivering(delivery: ObservedDelivery): void;
  /** A subscriber is about to be called. The returned function is called when the subscriber has returned or thrown. */
  calling(call: ObservedCall): () => void;
}

export interface Dispatcher {
  subscribe(event: unknown, callback: Callback): void;
  deliver(delivery: Delivery): void;
  observe(observer: Observer): void;
}

export function makeDispatcher(assumptions: Assumptions, listeners: Listeners, trace: Trace, rules: Rules): Dispatcher {
  const observers: Observer[] = [];
  const stored = new Map<unknown, Arrival[]>();
  const arrivals = new WeakMap<object, Arrival>();
  const running: Call[] = [];
  let subscriptions = 0;

  /** Call a subscriber with `event` and `rest`. If an app triggered the event, `rest` has the app's own arguments. */
  function call(current: Call, name: string, how: "live" | "replay", event: unknown, rest: unknown[]): void {
    const { subscription } = current;
    const who = { event: name, subscriber: subscription.id };
    trace.record("deliver", { ...who, variant: chosenVariant(current.arrival?.update?.item) }, how);
    const finished = rules.calling(who);
    running.push(current);
    const returned = observers.map((observer) =>
      observer.calling({ event: name, subscriber: subscription.id, how, values: rest.slice(1) }),
    );
    try {
      Reflect.apply(subscription.callback, null, [event, ...rest]);
    } catch (error) {
      trace.record("exception", who, textOf(error));
      trace.violate("unhandled-error", who);
      throw error;
    } finally {
      returned.forEach((done) => done());
      running.pop();
      finished();
    }
  }

  function callFor(arrival: Arrival, subscription: Subscription, how: "live" | "replay", event: unknown): void {
    const param = paramOf(arrival, assumptions);
    const current: Call = { subscription, arrival, param };
    arrival.calls.set(subscription.id, current);
    const rest = [arrival.init, param, ...(arrival.update ? [arrival.update.item] : [])];
    call(current, arrival.event, how, event, rest);
  }

  function receive(subscription: Subscription, event: JQueryEvent | Event, extra: unknown[]): void {
    const original = event instanceof Event ? event : event.originalEvent;
    const arrival = arrivals.get(event) ?? (original && arrivals.get(original));
    if (!arrival) {
      call({ subscription, arrival, param: {} }, event.type, "live", event, extra);
      return;
    }
    if (arrival.stopped) {
      return;
    }
    const visible = assumptions.is("live-event", "bare") ? arrival.bare : (original ?? event);
    const work = () =>
      guarded(assumptions.is("isolation", "subscriber"), () => callFor(arrival, subscription, "live", visible));
    if (!original) {
      work();
      return;
    }
    try {
      work();
    } catch (error) {
      arrival.thrown = { error };
      event.stopImmediatePropagation();
    }
  }

  /**
   * Return the call of the subscriber that called initContentHandler (undefined if it is not known), and whether this
   * subscriber has already returned.
   */
  function callerOf(arrival: Arrival): { caller: Call | undefined; late: boolean } {
    const caller = [...running].reverse().find((call) => call.arrival === arrival);
    if (caller || (arrival.running && running.length === 0)) {
      // Without a running subscriber, the caller is a listener that an app added through jQuery.
      return { caller, late: false };
    }
    const [only, ...others] = arrival.calls.values();
    return { caller: others.length ? undefined : only, late: true };
  }

  function init(arrival: Arrival): ContentHandler<unknown> {
    const { caller, late } = callerOf(arrival);
    const who = { event: arrival.event, subscriber: caller?.subscription.id ?? null };
    const first = caller?.content;
    const refuse = (refused: boolean, why: string) => {
      if (refused) {
        throw new Error(`initContentHandler: ${why}`);
      }
    };
    if (arrival.update) {
      trace.violate("updated-pair", who);
      refuse(assumptions.is("init-in-updated", "throws"), "not for an -updated event");
    } else if (first) {
      trace.violate("init-once", who);
      refuse(assumptions.is("second-init", "throws"), "called before for this event");
    } else if (caller && isClaimed(arrival, caller.subscription)) {
      trace.violate("init-once", who);
    } else if (late) {
      trace.violate("init-early", who);
      refuse(assumptions.is("late-init", "throws"), "called after the callback returned");
    }
    if (first && assumptions.is("second-init", "same-block")) {
      return first;
    }
    const claim = { ...who, host: arrival.host, param: caller?.param ?? paramOf(arrival, assumptions) };
    const content = makeContent(claim, assumptions, trace, rules);
    if (caller) {
      caller.content ??= content;
    }
    return content;
  }

  function raise(arrival: Arrival): void {
    const called = assumptions.is("live-event", "native") ? nativeListeners : listeners;
    const extra = [arrival.init, paramOf(arrival, assumptions), ...(arrival.update ? [arrival.update.item] : [])];
    arrival.running = true;
    try {
      called.trigger(arrival.event, extra, (event) => {
        arrivals.set(event, arrival);
        if (event instanceof Event) {
          noteStop(event, arrival);
        }
      });
    } finally {
      arrival.running = false;
    }
    if (arrival.thrown) {
      throw arrival.thrown.error;
    }
  }

  return {
    subscribe(event, callback) {
      const subscription = { id: ++subscriptions, callback };
      listeners.add(event, (delivered, ...extra: unknown[]) => receive(subscription, delivered, extra));
      const who = { event: String(event), subscriber: subscription.id };
      trace.record("subscribe", who);
      rules.subscribed(who);
      for (const arrival of stored.get(event) ?? []) {
        const replay = () =>
          guarded(assumptions.is("replay-exception", "caught"), () =>
            callFor(arrival, subscription, "replay", arrival.replayed),
          );
        if (assumptions.is("replay-timing", "timer")) {
          setTimeout(replay, 0);
        } else {
          replay();
        }
      }
    },
    deliver(delivery) {
      const arrival: Arrival = {
        ...delivery,
        init: () => init(arrival),
        replayed: { type: delivery.event },
        bare: { type: delivery.event },
        running: false,
        stopped: false,
        calls: new Map(),
        claims: new Map(),
      };
      if (assumptions.is("replay", "last")) {
        stored.set(arrival.event, [arrival]);
      } else if (assumptions.is("replay", "all")) {
        stored.set(arrival.event, [...(stored.get(arrival.event) ?? []), arrival]);
      }
      const { event, host, update } = delivery;
      const observed = { event, containers: host.containers, param: host.param, ...(update && { update }) };
      observers.forEach((observer) => observer.delivering(observed));
      guarded(!assumptions.is("isolation", "none"), () => raise(arrival));
    },
    observe: (observer) => void observers.push(observer),
  };
}

/** Return the variant that an update chooses by the titles of its options, such as `L/Blue`; null if it has none. */
function chosenVariant(item: unknown): string | null {
  const { selectedVariant } = Object(item) as { selectedVariant?: unknown };
  const { options } = Object(selectedVariant) as { options?: unknown };
  const titles = Array.isArray(options) ? options.map((option) => (Object(option) as { title?: unknown }).title) : [];
  return titles.filter((title) => typeof title === "string").join("/") || null;
}

function noteStop(event: Event, arrival: Arrival): void {
  const value = (): void => {
    arrival.stopped = true;
    Event.prototype.stopImmediatePropagation.call(event);
  };
  Object.defineProperty(event, "stopImmediatePropagation", { value });
}

/**
 * Whether the callback took a block in this delivery through another subscription. If not, record this subscription.
 */
function isClaimed({ claims }: Arrival, { callback, id }: Subscription): boolean {
  claims.set(callback, claims.get(callback) ?? id);
  return claims.get(callback) !== id;
}

function guarded(guard: boolean, work: () => void): void {
  if (!guard) {
    work();
    return;
  }
  try {
    work();
  } catch (error) {
    console.error(error);
  }
}

/** Return an exception as text, even for an object without a prototype. */
function textOf(error: unknown): string {
  try {
    return String(error);
  } catch {
    return Object.prototype.toString.call(error);
  }
}

/**
 * Return the event parameter of one call.
 *
 * It is the host's own object or, depending on assumptions, a copy or a new object with the updated values.
 */
function paramOf({ host, update }: Delivery, assumptions: Assumptions): Record<string, unknown> {
  const param = assumptions.is("event-param", "copy") ? structuredClone(host.param) : host.param;
  if (!update || assumptions.is("updated-param", "page-load")) {
    return param;
  }
  const { item } = update;
  return "cartData" in param ? { ...param, cartData: item } : { ...param, ...(item as { item?: unknown }) };
}
