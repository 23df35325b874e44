/** What a page is given, and what it reports. */
import { state } from "./clock.ts";

/** What a life gets, as `src/awning/check/running/lives.py` writes it. */
export interface Input {
  /** Whether an element that a script asks for is there. */
  elements: boolean;
  /** Whether hosts answer. */
  answers: boolean;
  /** The value of each entry of a storage. */
  stored: string | null;
  /** The value of each parameter of the page's address. */
  query: string | null;
  /** `head`: a script is in the page's head. `there`: the same, on a page with a body. */
  head: "head" | "there" | "";
  globals: readonly string[];
  location: Readonly<Record<string, string>>;
  random: number | null;
  /** The page's date at the beginning, in milliseconds since 1970. */
  now: number;
  headHtml: string;
  bodyHtml: string;
  /** The names of the service's events, the beginning of each, and the service's global. */
  events: readonly string[];
  prefix: string;
  global: string;
  /** Whether the page is complete, so that missing parts of a browser are the script's affair. */
  loaded: boolean;
  /** Whether a script runs before there is a body. */
  early: boolean;
}

export const input: Input = {
  elements: true,
  answers: true,
  stored: null,
  query: null,
  head: "",
  globals: [],
  location: {},
  random: null,
  now: 0,
  headHtml: "",
  bodyHtml: "",
  events: [],
  prefix: "",
  global: "",
  loaded: false,
  early: false,
};

/** A look-up before there is a body. `by` is the kind of its selector: of an id, of a class, or "". */
export interface Lookup {
  readonly lookup: string;
  readonly by: string;
}

export interface Report {
  readonly rule: string;
  readonly message: string;
  readonly at: number;
  readonly html?: string;
  readonly lookup?: string;
  readonly field?: string;
}

interface Failure extends Partial<Lookup> {
  readonly message: string;
  readonly at: number;
  /** Whether it may come from a look-up that was too early. */
  readonly missing: boolean;
}

const MOST_REPORTS = 400;
const MOST_FAILURES = 50;

export const outcome = {
  findings: [] as Report[],
  failures: [] as Failure[],
  /** The part of a browser that a script used and this page lacks. */
  left: "",
  /** The last look-up that found nothing because there was no body. */
  early: undefined as Lookup | undefined,
};

/** A rule is broken at the place of the running code. */
export function report(rule: string, message: string, more: Omit<Report, "rule" | "message" | "at"> = {}): void {
  if (!outcome.left && outcome.findings.length < MOST_REPORTS) {
    outcome.findings.push({ rule, message, at: state.at, ...more });
  }
}

class NotLookedAt extends Error {}

/** End the run at a part of a browser that this page lacks or has wrong, so that no finding depends on it. */
export function notLookedAt(what: string): never {
  outcome.left ||= what;
  throw new NotLookedAt(what);
}

export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    failed(error);
    return undefined;
  }
}

/** Remember an exception that nothing caught. */
export function failed(error: unknown): void {
  if (outcome.left || outcome.failures.length >= MOST_FAILURES) {
    return;
  }
  const { message } = Object(error) as { message?: unknown };
  outcome.failures.push({
    message: String(message || error),
    at: state.at,
    missing: outcome.early !== undefined,
    ...outcome.early,
  });
}
