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

/** A delivery with its state. All replays get the same event object, `replayed`. */
interface Arrival extends Delivery {
  replayed: { type: string };
  /** A plain object that live calls get instead of jQuery's event or the native event, if an assumption says so. */
  bare: { type: string };
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
  const stored = new Map<string, Arrival[]>();
  const arrivals = new WeakMap<object, Arrival>();
  /** The initContentHandler of each host. All subscribers get the same one, in every delivery. */
  const inits = new WeakMap<Host, () => ContentHandler<unknown>>();
  /** The last base delivery and the last update of each host. */
  const lastOf = new WeakMap<Host, { base?: Arrival; update?: Arrival }>();
  /** The deliveries whose listeners are being called now, and the subscribers. The innermost is last. */
  const delivering: Arrival[] = [];
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
    call(current, arrival.event, how, event, argumentsOf(arrival, param));
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

  /** Return the arguments of a subscriber after the event. */
  function argumentsOf({ host, update }: Delivery, param: Record<string, unknown>): unknown[] {
    const init = inits.get(host) ?? (() => initIn(host));
    inits.set(host, init);
    return [init, param, ...(update ? [update.item] : [])];
  }

  /**
   * Return the delivery in which initContentHandler was called, the call of the subscriber (undefined if it is not
   * known), and whether this subscriber has already returned.
   *
   * All deliveries of a host share the function. So after the return, the last base delivery is taken, or the last
   * update if the base delivery called no subscriber.
   */
  function callerOf(host: Host): { arrival: Arrival; caller: Call | undefined; late: boolean } {
    const caller = [...running].reverse().find((call) => call.arrival?.host === host);
    const arrival = caller?.arrival ?? [...delivering].reverse().find((one) => one.host === host);
    if (arrival && (caller || running.length === 0)) {
      // Without a running subscriber, the caller is a listener that an app added through jQuery.
      return { arrival, caller, late: false };
    }
    const { base, update } = lastOf.get(host) ?? {};
    const last = (base?.calls.size ? base : (update ?? base)) as Arrival;
    const [only, ...others] = last.calls.values();
    return { arrival: last, caller: others.length ? undefined : only, late: true };
  }

  function initIn(host: Host): ContentHandler<unknown> {
    const { arrival, caller, late } = callerOf(host);
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
    const claim = { ...who, host, param: caller?.param ?? paramOf(arrival, assumptions) };
    const content = makeContent(claim, assumptions, trace, rules);
    if (caller) {
      caller.content ??= content;
    }
    return content;
  }

  function raise(arrival: Arrival): void {
    const called = assumptions.is("live-event", "native") ? nativeListeners : listeners;
    delivering.push(arrival);
    try {
      called.trigger(arrival.event, argumentsOf(arrival, paramOf(arrival, assumptions)), (event) => {
        arrivals.set(event, arrival);
        if (event instanceof Event) {
          noteStop(event, arrival);
        }
      });
    } finally {
      delivering.splice(delivering.lastIndexOf(arrival), 1);
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
      for (const arrival of stored.get(String(event)) ?? []) {
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
        replayed: { type: delivery.event },
        bare: { type: delivery.event },
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
      lastOf.set(host, { ...lastOf.get(host), [update ? "update" : "base"]: arrival });
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
  // An update is about the first field: it has a new value of it, or it is that value.
  const [first] = Object.keys(param);
  return first === undefined || first in Object(item) ? { ...param, ...(item as object) } : { ...param, [first]: item };
}
