/**
 * Who is called for an event, with what, and what happens when somebody throws.
 *
 * A delivery is one event reaching all its subscribers; the last one of each name is kept and replayed to those who
 * subscribe later.
 */
import type { Assumptions } from "./assumptions.ts";
import { makeContent, type Host } from "./host.ts";
import { pageJQuery, type JQueryEvent } from "./jquery.ts";
import type { Rules } from "./rules.ts";
import type { Trace } from "./trace.ts";

export type Callback = (...delivered: unknown[]) => unknown;

interface Subscription {
  id: number;
  event: string;
  callback: Callback;
}

export interface Delivery {
  event: string;
  host: Host;
  /** Absent for a base event: its subscribers get three arguments. */
  update?: { item: unknown };
}

export interface Dispatcher {
  subscribe(event: string, callback: Callback): void;
  deliver(delivery: Delivery): void;
}

/** What a subscriber sees as the event, and what stops a delivery halfway. */
interface Live {
  event: unknown;
  stopped?: () => boolean;
}

export function makeDispatcher(assumptions: Assumptions, trace: Trace, rules: Rules): Dispatcher {
  const subscriptions: Subscription[] = [];
  const kept = new Map<string, Delivery[]>();
  /** The subscription by which a callback took its place in a delivery: one that is subscribed twice takes two. */
  const claims = new WeakMap<Delivery, Map<Callback, number>>();

  /** Whether the same callback has taken a place in this delivery by another subscription. */
  function isClaimed(delivery: Delivery, { callback, id }: Subscription): boolean {
    const claimed = claims.get(delivery) ?? new Map<Callback, number>();
    claims.set(delivery, claimed);
    claimed.set(callback, claimed.get(callback) ?? id);
    return claimed.get(callback) !== id;
  }

  function call(subscription: Subscription, delivery: Delivery, event: unknown, how: "live" | "replay"): void {
    const who = { event: delivery.event, subscriber: subscription.id };
    const param = paramOf(delivery, assumptions);
    const init = makeInit(subscription, delivery, param);
    trace.record("deliver", who, how);
    const finished = rules.calling(who);
    try {
      const delivered = [event, init.handler, param, ...(delivery.update ? [delivery.update.item] : [])];
      subscription.callback.apply(how === "live" ? document : undefined, delivered);
    } catch (error) {
      trace.record("exception", who, String(error));
      trace.violate("unhandled-error", who);
      throw error;
    } finally {
      init.returned();
      finished();
    }
  }

  function makeInit(subscription: Subscription, delivery: Delivery, param: Record<string, unknown>) {
    const who = { event: delivery.event, subscriber: subscription.id };
    const claim = { ...who, host: delivery.host, param };
    let first: ReturnType<typeof makeContent> | undefined;
    let returned = false;
    const refuse = (refused: boolean, why: string) => {
      if (refused) {
        throw new Error(`initContentHandler: ${why}`);
      }
    };
    const handler = () => {
      if (delivery.update) {
        trace.violate("updated-pair", who);
        refuse(assumptions.is("init-in-updated", "throws"), "not for an -updated event");
      } else if (first) {
        trace.violate("init-once", who);
        refuse(assumptions.is("second-init", "throws"), "called before for this event");
      } else if (isClaimed(delivery, subscription)) {
        trace.violate("init-once", who);
      } else if (returned) {
        trace.violate("init-early", who);
        refuse(assumptions.is("late-init", "throws"), "called after the callback returned");
      }
      const content = first && assumptions.is("second-init", "same-block") ? first : makeContent(claim, assumptions, trace, rules);
      first ??= content;
      return content;
    };
    return { handler, returned: () => void (returned = true) };
  }

  function callAll(delivery: Delivery, subscribed: Subscription[], live: Live): void {
    for (const subscription of subscribed) {
      if (live.stopped?.()) {
        return;
      }
      guarded(assumptions.is("isolation", "subscriber"), () => call(subscription, delivery, live.event, "live"));
    }
  }

  return {
    subscribe(event, callback) {
      const subscription = { id: subscriptions.length + 1, event, callback };
      subscriptions.push(subscription);
      const who = { event, subscriber: subscription.id };
      trace.record("subscribe", who);
      rules.subscribed(who);
      for (const delivery of kept.get(event) ?? []) {
        const replay = () =>
          guarded(assumptions.is("replay-exception", "caught"), () => call(subscription, delivery, { type: event }, "replay"));
        if (assumptions.is("replay-timing", "timer")) {
          setTimeout(replay, 0);
        } else {
          replay();
        }
      }
    },
    deliver(delivery) {
      keep(kept, delivery, assumptions);
      const subscribed = subscriptions.filter((one) => one.event === delivery.event);
      guarded(!assumptions.is("isolation", "none"), () =>
        raise(delivery, assumptions, (live) => callAll(delivery, subscribed, live)),
      );
    },
  };
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

function keep(kept: Map<string, Delivery[]>, delivery: Delivery, assumptions: Assumptions): void {
  if (assumptions.is("replay", "last")) {
    kept.set(delivery.event, [delivery]);
  } else if (assumptions.is("replay", "all")) {
    kept.set(delivery.event, [...(kept.get(delivery.event) ?? []), delivery]);
  }
}

/** The event parameter for one call: the host's own object, unless a switch says otherwise. */
function paramOf({ host, update }: Delivery, assumptions: Assumptions): Record<string, unknown> {
  const param = assumptions.is("event-param", "copy") ? structuredClone(host.param) : host.param;
  if (!update || assumptions.is("updated-param", "page-load")) {
    return param;
  }
  const { item } = update;
  return "cartData" in param ? { ...param, cartData: item } : { ...param, ...(item as { item?: unknown }) };
}

/** Make a live event and call `work` with it, in the way the page would. */
function raise(delivery: Delivery, assumptions: Assumptions, work: (live: Live) => void): void {
  const jquery = pageJQuery();
  if (assumptions.is("live-event", "bare")) {
    work({ event: { type: delivery.event } });
  } else if (jquery && assumptions.is("live-event", "jquery")) {
    const triggered = jquery.Event(delivery.event);
    const listener = (event: JQueryEvent): void => work({ event, stopped: () => event.isImmediatePropagationStopped() });
    jquery(document).one(delivery.event, listener);
    try {
      jquery(document).trigger(triggered, []);
    } finally {
      jquery(document).off(delivery.event, listener);
    }
  } else {
    dispatch(new CustomEvent(delivery.event), work);
  }
}

/** A native dispatch reports exceptions and goes on; ours has to reach the caller. */
function dispatch(event: CustomEvent, work: (live: Live) => void): void {
  let thrown: { error: unknown } | undefined;
  const listener = () => {
    try {
      work({ event });
    } catch (error) {
      thrown = { error };
    }
  };
  document.addEventListener(event.type, listener, { once: true });
  document.dispatchEvent(event);
  if (thrown) {
    throw thrown.error;
  }
}
