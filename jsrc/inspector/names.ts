/** Who a subscriber is, by its number: a widget of this app, or somebody else. */
import type { Entry } from "./events.ts";

export interface Names {
  /** The subscriptions that `subscribe` makes are `name`'s. */
  during(name: string, subscribe: () => void): void;
  /** Learn from the trace which number a subscription got. */
  learn(entry: Entry): void;
  of(subscriber: number | null): string;
}

export function makeNames(): Names {
  const names = new Map<number, string>();
  let current: string | null = null;
  return {
    during(name, subscribe) {
      current = name;
      try {
        subscribe();
      } finally {
        current = null;
      }
    },
    learn({ kind, subscriber }) {
      // A subscription may deliver at once, and a callback may subscribe: the first one is the one that was named.
      if (kind === "subscribe" && subscriber !== null && current !== null) {
        names.set(subscriber, current);
        current = null;
      }
    },
    of: (subscriber) => (subscriber === null ? "" : (names.get(subscriber) ?? `another app (${subscriber})`)),
  };
}
