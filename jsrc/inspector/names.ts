/** Names subscribers by their numbers: a widget of this app, or another app. */
import type { Entry } from "./events.ts";

export interface Names {
  /** Call `subscribe`. The subscriptions that it makes get the name `name`. */
  during(name: string, subscribe: () => void): void;
  /** Learn the number of a subscription from an entry of the trace. */
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
      // A subscription may deliver at once, and its callback may subscribe, too. The name belongs to the first
      // subscription.
      if (kind === "subscribe" && subscriber !== null && current !== null) {
        names.set(subscriber, current);
        current = null;
      }
    },
    of: (subscriber) => (subscriber === null ? "" : (names.get(subscriber) ?? `another app (${subscriber})`)),
  };
}
