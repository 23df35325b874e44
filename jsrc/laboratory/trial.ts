/** The types of trials and of their results. `awning_harness.conformance.laboratory` has the same in Python. */
import type { Look } from "./look.ts";

/** What another host answers. With status 0 the connection fails; without an answer the request never ends. */
export interface Answer {
  status: number;
  body: string;
  type: string;
}

/** What the fourth argument of an update is made from: a variant by its place, or the cart itself. */
export type Update = { variant: number } | { cart: unknown };

/**
 * One thing that happens on the page. Moves before `loaded` happen where the page makes its host, before any snippet.
 *
 * page     the page's own events, as it fires them
 * base     the base event alone
 * early    an update of which the page has not fired the base event
 * loaded   wait until the page is loaded and everything that is under way has ended
 * snippet  run the app's snippet, which `late` has taken out of the page
 * look     take a look
 * focus    use each control, deliver updates, and note what has lost focus or text
 * surroundings  describe what is outside of the slots
 * shifts   wait for two paints, and note what has jumped so far
 * times    deliver the same again so many times, and keep the shortest duration
 */
export type Move =
  | "page"
  | "base"
  | "loaded"
  | "snippet"
  | "look"
  | "focus"
  | "surroundings"
  | "shifts"
  | { update: Update }
  | { early: Update }
  | { times: number; of: "base" | Update };

export interface Trial {
  /** The page's address on this origin. */
  url: string;
  /** The slot and its base event. */
  slot: string;
  event: string;
  moves: Move[];
  width: number;
  /** Load the page from its address, because its policy is in a header. Only the moves after `loaded` happen then. */
  loads?: boolean;
  /** Replaces the event parameter. */
  params?: Record<string, unknown>;
  /** The answers of other hosts by address; null never comes. */
  answers?: Record<string, Answer | null>;
  /** The milliseconds until the first, second, ... request of the page is answered, in turn. */
  delays?: number[];
  /** Whether reading or writing storage throws. */
  storageBlocked?: boolean;
  late?: boolean;
}

export interface TrialResult {
  params: unknown;
  looks: Look[];
  /** What the page's console and its uncaught errors said. */
  errors: string[];
  /** The shortest duration of a move with `times`, in milliseconds. */
  shortest: number | null;
  /** What a move `focus` has lost. */
  lost: string[];
  /** Whether a text of a payload ran as a script. */
  ran: string[];
  /** The requests to other hosts. */
  asked: string[];
  surroundings: string[];
  /** The longest jump of an element that was painted; null without the move `shifts`. */
  jump: { pixels: number; element: string } | null;
}
