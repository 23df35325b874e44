/**
 * The types of the emulator as a module (`awning emulator --module`), for unit tests of scripts in Node. They are
 * published as `index.d.ts`, so this file has only types. `index.ts` checks that the emulator conforms to them.
 */
import type { TypedGlobal } from "../types/index.ts";

/** An entry of the trace. docs/emulator.md describes each kind. */
export interface TraceEntry {
  /** Milliseconds since the page began to load. */
  t: number;
  kind: "subscribe" | "deliver" | "init" | "content" | "exception" | "violation";
  /** The event's full name. */
  event: string | null;
  /** The subscription's number, from 1. Null if it is not known. */
  subscriber: number | null;
  /**
   * The block's position in its host, from 1. Null before the block has one, and for other kinds than init and content.
   */
  position: number | null;
  /** `live` or `replay`, the HTML, the error's text, or the id of the broken rule. Null otherwise. */
  detail: string | null;
  /** `deliver` of an update of a product: the chosen variant, such as `L/Blue`. Null otherwise. */
  variant: string | null;
}

export interface Emulator {
  /** Choose an assumption set (`"hostile"`) or single answers (`{ replay: "none" }`). */
  configure(configuration: string | Record<string, string | boolean>): void;
  /** Create a host with the container `container` (an element or a selector), and fire its base event. */
  host(container: unknown, event: string, params?: Record<string, unknown>): void;
  /**
   * Fire an event for the newest host of its base event. `updatedItem` is the fourth argument of an `-updated` event.
   */
  fire(event: string, updatedItem?: unknown): void;
  /** Allow scripts to leave globals with these names. Without it, each breaks the rule `global-leaked`. */
  allowGlobals(names: readonly string[]): void;
  /** The entries so far. */
  trace(): TraceEntry[];
  /** Call `listener` with each new entry. */
  watch(listener: (entry: TraceEntry) => void): void;
  /** The answers in force. */
  assumptions(): Record<string, string>;
}

/** The service's global and the emulator of one window. `Prefix` is the prefix of the events' names. */
export interface Installed<Prefix extends string = "svc-"> {
  service: TypedGlobal<Prefix>;
  emulator: Emulator;
}

/**
 * Define the service's global and `awningEmulator` on a window: the page's, or one of jsdom or happy-dom. The default is
 * the global `window`. Each call makes a new emulator, so each test can have one with a window of its own.
 */
export type Install = <Prefix extends string = "svc-">(window?: object) => Installed<Prefix>;
