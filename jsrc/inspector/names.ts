/** Finds who made a subscription, by its number: a widget of this app, or another app. */
import type { Entry } from "./timeline.ts";

/** Who subscribed. `isOwn` is whether it is a widget of the app under test. */
export interface Owner {
  name: string;
  isOwn: boolean;
  /** Whether newer code has taken the subscriber's place, so that its callback no longer runs. */
  isOver?(): boolean;
}

export interface Names {
  /** Call `subscribe`, which makes one subscription. The subscription belongs to `owner`. */
  during(owner: Owner, subscribe: () => void): void;
  /** Learn the number of a subscription from an entry of the trace. */
  learn(entry: Entry): void;
  of(subscriber: number | null): Owner;
}

const UNKNOWN: Owner = { name: "another app", isOwn: false };

export function makeNames(): Names {
  const owners = new Map<number, Owner>();
  let current: Owner | null = null;
  return {
    during(owner, subscribe) {
      current = owner;
      try {
        subscribe();
      } finally {
        current = null;
      }
    },
    learn({ kind, subscriber }) {
      // A subscription may deliver at once, and its callback may subscribe, too. Only the first subscription belongs to
      // the owner.
      if (kind === "subscribe" && subscriber !== null && current !== null) {
        owners.set(subscriber, current);
        current = null;
      }
    },
    of: (subscriber) => owners.get(subscriber ?? 0) ?? UNKNOWN,
  };
}

/**
 * Return a function that names another app by its `<script>` element: by the attribute `data-app`, which the apps of a
 * scenario have, else by a number.
 */
export function makeForeignNames(): (script: Element | null) => Owner {
  const numbers = new WeakMap<Element, number>();
  let count = 0;
  return (script) => {
    if (!script) return UNKNOWN;
    const title = script.getAttribute("data-app");
    if (!title && !numbers.has(script)) numbers.set(script, ++count);
    return { name: title ? `another app: ${title}` : `another app ${numbers.get(script)}`, isOwn: false };
  };
}
