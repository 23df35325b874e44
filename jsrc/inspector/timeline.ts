/**
 * The timeline: a row for each subscription, each event that is fired, and each call of a subscriber. A row of a call
 * has its outcome. The rows come from the emulator's observer, which has the values, and from its trace, which has
 * contents, exceptions and broken rules.
 */
import { makeBlocks } from "./blocks.ts";
import type { Thrown } from "./failures.ts";
import type { Names, Owner } from "./names.ts";

/** An entry of the emulator's trace. */
export interface Entry {
  t: number;
  kind: string;
  event: string | null;
  subscriber: number | null;
  position: number | null;
  detail: string | null;
}

export interface ObservedDelivery {
  event: string;
  containers: readonly Element[];
  param: Record<string, unknown>;
  update?: { item: unknown };
}

export interface ObservedCall {
  event: string;
  subscriber: number;
  how: "live" | "replay";
  values: readonly unknown[];
}

/** The part of `jsrc/emulator` that the inspector uses. */
export interface Emulator {
  trace(): Entry[];
  watch(listener: (entry: Entry) => void): void;
  observe(observer: {
    delivering(delivery: ObservedDelivery): void;
    calling(call: ObservedCall): () => void;
  }): void;
  host(containers: readonly Element[], event: string, param: Record<string, unknown>): void;
  fire(event: string, updatedItem?: unknown): void;
}

/** The outcomes, from the least to the most serious, each with its text. */
export const OUTCOMES = {
  subscribed: "subscribed",
  fired: "fired",
  unchanged: "changed nothing",
  drawn: "changed its block",
  broke: "broke a rule",
  threw: "threw",
} as const;
export type Outcome = keyof typeof OUTCOMES;
const ORDER = Object.keys(OUTCOMES) as Outcome[];

/** A broken rule or an exception. `place` is its place in the author's files. */
export interface RowProblem {
  kind: "rule" | "exception";
  text: string;
  place: string | null;
}

export interface Row {
  id: number;
  /** Milliseconds since the page began to load. */
  t: number;
  kind: "subscription" | "event" | "call";
  /** The full name; null for an error outside of a call. */
  event: string | null;
  from: Owner;
  outcome: Outcome;
  /** `live` if the event was fired when the call was made, `replay` for an earlier event; null for other rows. */
  how: "live" | "replay" | null;
  /** How long a call took, in milliseconds; null while it runs, and for other rows. */
  took: number | null;
  /** The event parameter, and for an `-updated` event the updatedItem. Empty for a subscription. */
  values: readonly unknown[];
  /** The HTML of each `setContent`. */
  contents: string[];
  problems: RowProblem[];
  /** Increased with each change of the row. */
  version: number;
}

/** What one widget did since the page was loaded, its code was replaced, or the timeline was cleared. */
export interface Figures {
  renderings: number;
  updates: number;
  /** The time of the last and of the slowest call, in milliseconds. */
  last: number;
  slowest: number;
  errors: number;
}

export interface Timeline {
  rows(): readonly Row[];
  /** The figures of each widget and each other app that was called or has thrown, by name. */
  figures(): ReadonlyMap<string, Figures>;
  /** Take an entry of the emulator's trace. */
  learn(entry: Entry): void;
  /** Take an error of a widget. Returns a function that adds the place in the author's files. */
  addThrown(thrown: Thrown): (place: string) => void;
  /** Call `work`. The rows of the events that it fires name the inspector as their source. */
  firing(work: () => void): void;
  /** Return the last delivery of a base event; undefined if the page fired none. */
  lastDelivery(event: string): ObservedDelivery | undefined;
  /** Call `listener` after each change. Returns a function that ends this. */
  follow(listener: () => void): () => void;
  /**
   * Remove the rows and figures of a widget whose new code is on the page; null stands for the whole app. Events of the
   * page stay if only a widget is new.
   */
  clear(widget: string | null): void;
}

export const UPDATED = /-updated$/;

const SHOP: Owner = { name: "the shop", isOwn: false };
const INSPECTOR: Owner = { name: "the inspector", isOwn: false };
const MOST_ROWS = 2000;
const DROPPED_ROWS = 500;
/**
 * A change of a block outside of a call is attributed to the last call of the block's owner, if that call ended at most
 * this many milliseconds before. Async functions make such late changes.
 */
const LATE_CHANGE_MS = 5000;

export function makeTimeline(emulator: Pick<Emulator, "observe">, names: Names): Timeline {
  let rows: Row[] = [];
  let ids = 0;
  let source = SHOP;
  const running: Row[] = [];
  const figures = new Map<string, Figures>();
  const deliveries = new Map<string, ObservedDelivery>();
  const listeners = new Set<() => void>();
  const blocks = makeBlocks((subscriber) => markLate(names.of(subscriber).name));

  const changed = (row?: Row): void => {
    if (row) row.version++;
    for (const listener of listeners) listener();
  };
  const add = (row: Pick<Row, "kind" | "event" | "from" | "outcome"> & Partial<Row>): Row => {
    const whole: Row = {
      id: ++ids, t: performance.now(), how: null, took: null, values: [], contents: [], problems: [], version: 0, ...row,
    };
    rows.push(whole);
    if (rows.length > MOST_ROWS) rows = rows.slice(DROPPED_ROWS);
    changed();
    return whole;
  };
  const raise = (row: Row, outcome: Outcome): void => {
    if (ORDER.indexOf(outcome) > ORDER.indexOf(row.outcome)) row.outcome = outcome;
    changed(row);
  };
  const lastCall = (name: string): Row | undefined => {
    for (let at = rows.length - 1; at >= 0; at--) if (rows[at]?.kind === "call" && rows[at]?.from.name === name) return rows[at];
    return undefined;
  };
  const markLate = (name: string): void => {
    const row = lastCall(name);
    if (row && row.took !== null && performance.now() - row.t - row.took < LATE_CHANGE_MS) raise(row, "drawn");
  };
  /** Return the row for an entry: the innermost running call, else the last call of `from`, else undefined. */
  const rowOf = (from: Owner): Row | undefined => running.at(-1) ?? lastCall(from.name);
  const figuresOf = ({ name }: Owner): Figures => {
    const known = figures.get(name) ?? { renderings: 0, updates: 0, last: 0, slowest: 0, errors: 0 };
    figures.set(name, known);
    return known;
  };
  const count = (row: Row, took: number): void => {
    const counted = figuresOf(row.from);
    counted.renderings++;
    if (UPDATED.test(row.event ?? "")) counted.updates++;
    counted.last = took;
    counted.slowest = Math.max(counted.slowest, took);
  };

  emulator.observe({
    delivering(delivery) {
      const { event, param, update } = delivery;
      deliveries.set(event, delivery);
      blocks.watch(event.replace(UPDATED, ""), delivery.containers);
      add({ kind: "event", event, from: source, outcome: "fired", values: update ? [param, update.item] : [param] });
    },
    calling({ event, subscriber, how, values }) {
      const from = names.of(subscriber);
      // The service has no way to unsubscribe, so it still calls the guards of older code.
      if (from.isOver?.()) return () => {};
      const outer = running.at(-1);
      if (!outer) blocks.settle();
      else if (blocks.take()) raise(outer, "drawn");
      const row = add({ kind: "call", event, from, outcome: "unchanged", how, values });
      running.push(row);
      const started = performance.now();
      return () => {
        row.took = performance.now() - started;
        running.pop();
        count(row, row.took);
        raise(row, blocks.take() ? "drawn" : "unchanged");
      };
    },
  });

  const problem = (from: Owner, event: string | null, kind: RowProblem["kind"], text: string): RowProblem => {
    const added: RowProblem = { kind, text, place: null };
    const row = rowOf(from) ?? add({ kind: "call", event, from, outcome: "unchanged" });
    row.problems.push(added);
    raise(row, kind === "rule" ? "broke" : "threw");
    return added;
  };

  return {
    rows: () => rows,
    figures: () => figures,
    learn({ t, kind, event, subscriber, position, detail }) {
      const from = names.of(subscriber);
      if (position !== null && subscriber !== null && event) blocks.own(event.replace(UPDATED, ""), position, subscriber);
      if (kind === "subscribe") add({ t, kind: "subscription", event, from, outcome: "subscribed" });
      if (kind === "violation") problem(from, event, "rule", detail ?? "");
      if (kind === "exception") {
        problem(from, event, "exception", detail ?? "");
        figuresOf(from).errors++;
      }
      const row = kind === "content" ? rowOf(from) : undefined;
      if (row) {
        row.contents.push(detail ?? "");
        raise(row, running.length ? row.outcome : "drawn");
      }
    },
    addThrown({ widget, message, traced }) {
      const from = { name: widget, isOwn: true };
      const same = traced ? rows.flatMap((row) => row.problems).filter(({ kind, text }) => kind === "exception" && text === message) : [];
      const known = same.at(-1);
      const thrown = known ?? problem(from, null, "exception", message);
      if (!known) figuresOf(from).errors++;
      return (place) => {
        thrown.place = place;
        changed(rows.find((row) => row.problems.includes(thrown)));
      };
    },
    firing(work) {
      source = INSPECTOR;
      try {
        work();
      } finally {
        source = SHOP;
      }
    },
    lastDelivery: (event) => deliveries.get(event),
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    clear(widget) {
      rows = widget === null ? [] : rows.filter(({ from }) => !(from.isOwn && from.name === widget));
      if (widget === null) figures.clear();
      else figures.delete(widget);
      changed();
    },
  };
}
