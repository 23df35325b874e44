/** The types of trials and of their results. `awning_harness.visit.trial` has the same in Python. */
import type { Loss } from "./focus.ts";
import type { BlockStep, PageStep } from "../visit/frame_steps.ts";
import type { PageMove } from "../visit/page_moves.ts";
import type { Look } from "./look.ts";

/** The response of another host. With status 0 the connection fails. */
export interface Answer {
  status: number;
  body: string;
  type: string;
}

/**
 * One thing that happens on the page. Moves before `loaded` happen before any snippet runs, when the page calls
 * `awningStorefront.host` for its container. The shortest duration of those of a move with `times` is noted.
 *
 * loaded   wait until the page is loaded and everything that is under way has ended
 * snippet  run the app's snippet, which `late` has taken out of the page
 * look     add a `Look` to the result
 * shown    wait, in real time, until the block shows what a state says, or the page waits for nothing
 * examine  examine the blocks with axe-core
 * focus    focus and fill each control, deliver updates, and note what has lost focus, text or a choice, or has closed
 * later    let the short timers of the next second run
 * surroundings  describe what is outside of the slots
 * shifts   wait for two paints, and note what has jumped so far
 * type     type each text into each text field, send its form, and note a text that the page takes for HTML or JavaScript
 * pose     make the page still, measure its blocks, and keep it for the caller, who may ask for their tree and picture
 * step     take a step of a shopper, on the page or in the block
 */
export type Move =
  | PageMove
  | "loaded"
  | "snippet"
  | "look"
  | "focus"
  | "later"
  | "surroundings"
  | "shifts"
  | "examine"
  | { shown: Shown }
  | { type: string[] }
  | { pose: { blocks: string; tree: boolean; picture: boolean } }
  | { step: PageStep | BlockStep };

/** What the slot shows: one block, or with `isEmpty` nothing, with all texts of `present` and none of `absent`. */
export interface Shown {
  present: string[];
  absent: string[];
  isEmpty: boolean;
}

export interface Trial {
  /** The page's address on this origin. */
  url: string;
  /** The slot and its base event. */
  slot: string;
  event: string;
  moves: Move[];
  width: number;
  /** Load the page from its address, so that it can go to another one. Only the moves after `loaded` happen then. */
  loads?: boolean;
  /** Replaces the event parameter. */
  params?: Record<string, unknown>;
  /**
   * The responses of other hosts by address, with or without its query. A request with the response null never ends. A
   * request without an entry fails.
   */
  answers?: Record<string, Answer | null>;
  /**
   * The delays of the responses in milliseconds, in the order of the requests. After the last one, the first is used
   * again.
   */
  delays?: number[];
  /**
   * In which order the responses to requests after `loaded` arrive, where they are held: none comes before the next look,
   * and the shopper waits for none, unless a step is not possible without it.
   */
  held?: "in-order" | "backwards";
  /** Whether the shopper prefers reduced motion. Otherwise, nothing on a written page moves, or it is brought to its end. */
  reducedMotion?: boolean;
  /** Whether reading or writing storage throws. */
  storageBlocked?: boolean;
  /** The name of the app's script in stack traces of a written page, and the end of the script, where it is put. */
  script?: { name: string; end: string };
  /** Whether the result has the stacks of what is begun on the page. */
  traced?: boolean;
  /** Whether the app's snippet is left out of the page, until the move `snippet` runs it. */
  late?: boolean;
}

export interface TrialResult {
  params: unknown;
  looks: Look[];
  /** The texts of the page's console errors and uncaught errors. */
  errors: string[];
  /** The shortest duration of a move with `times`, in milliseconds; null without such a move. */
  shortest: number | null;
  /** What lost the focus, its text or its choice in the move `focus`, or has closed. */
  lost: Loss[];
  /** What became of a text of the move `type`. */
  inserted: string[];
  /** The functions, such as `alert`, that were called. A text of the payload that runs as JavaScript calls one of them. */
  ran: string[];
  /** The requests to other hosts that `fetch` made. */
  asked: string[];
  /** The requests to other hosts that something else made, such as an image, each with what made it. */
  requested: { url: string; by: string }[];
  /** The globals of the page that a page without scripts does not have. */
  globals: string[];
  /** What the move `examine` found, as `examine.js` returns it. */
  examined: unknown[];
  surroundings: string[];
  /**
   * What the page has begun and not ended, by kind as in `Counts`: the stack that most of them have. Empty unless the
   * trial is traced.
   */
  begun: Record<string, string>;
  /** The longest jump of an element that was painted; null without the move `shifts`. */
  jump: { pixels: number; element: string } | null;
  /** What `capture.js` measured of the page that poses; null without one. Such a page stays until `dismiss`. */
  pose: unknown;
  /** Which move was not possible, and why. The moves after it were not made. Null if all were possible. */
  refused: { index: number; why: string } | null;
  /**
   * The index of the move after which the page had gone to another one; -1 before the first late move, null if it had not.
   * A page that stops loading because a script leads to a download is left, too.
   * The looks may then be missing, or be those of the other page.
   */
  leftAt: number | null;
  /** Whether the page has stored a cookie, a database or a cache, which must be deleted before the next trial. */
  hasStored: boolean;
  /** How long the trial took, in milliseconds. */
  ms: number;
}
