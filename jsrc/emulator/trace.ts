/**
 * The trace: a list of everything that happened, in order. Tests and the inspector read it.
 */

export type Kind = "subscribe" | "deliver" | "init" | "content" | "exception" | "violation";

/** The id of a rule, which `src/awning/rules` describes. A rule that `awning check` checks too has the same id there. */
export type Rule = string;

export interface Entry {
  /** Milliseconds since the page began to load. */
  t: number;
  kind: Kind;
  /** The event's full name. At present every entry has one. */
  event: string | null;
  /** The subscription's number, from 1, in the order of all subscriptions. Null if it is not known. */
  subscriber: number | null;
  /**
   * The block's position in its host, from 1. Null before the block has one, and for other kinds than init and content.
   */
  position: number | null;
  /**
   * deliver: `live` or `replay`. content: the HTML. exception: the error's text. violation: the id of the rule.
   * Null otherwise.
   */
  detail: string | null;
  /** deliver of an update of a product: the chosen variant, such as `L/Blue`. Null otherwise. */
  variant: string | null;
}

export type Who = Pick<Entry, "event" | "subscriber"> & Partial<Pick<Entry, "position" | "variant">>;

export interface Trace {
  record(kind: Kind, who: Who, detail?: string | null): void;
  violate(rule: Rule, who: Who): void;
  /** A copy of the entries so far. */
  entries(): Entry[];
  /** Call `listener` with each new entry. */
  watch(listener: (entry: Entry) => void): void;
}

export function makeTrace(): Trace {
  const entries: Entry[] = [];
  const listeners: Array<(entry: Entry) => void> = [];
  const record: Trace["record"] = (kind, { event, subscriber, position = null, variant = null }, detail = null) => {
    const entry: Entry = { t: performance.now(), kind, event, subscriber, position, detail, variant };
    entries.push(entry);
    for (const listener of listeners) {
      listener({ ...entry });
    }
  };
  return {
    record,
    violate: (rule, who) => record("violation", who, rule),
    entries: () => entries.map((entry) => ({ ...entry })),
    watch: (listener) => void listeners.push(listener),
  };
}
