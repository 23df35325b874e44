/**
 * A shopper's steps, for tests. In a frame `take` performs a step on the shop's page; elsewhere `begin` and `next` say
 * what to do, and the caller does it with a real pointer.
 */
import type { wait } from "../storefront/clock.ts";
import { perform, type Action, type Actions } from "./actions.ts";
import { beginInBlock } from "./block_steps.ts";
import { beginOnPage, type Named } from "./page_steps.ts";

/** A step on the page: a verb with what it names, a wait of `ms` milliseconds, or an event that a test fires. */
type PageStep =
  | ({ verb: string } & Named)
  | { verb: "wait"; ms: number }
  | { verb: "update"; event: string; updated: unknown };

type ShopPage = Window & { awningEmulator?: { fire(event: string, updated: unknown): void } };

/** What the page shows while a change is under way. */
const BUSY = "[data-totals][aria-busy], [data-cart][aria-busy]";

/** Take a step on the page of a frame, at most `within` milliseconds. Throws why that is not possible. */
async function take(page: ShopPage, step: PageStep, within: number): Promise<void> {
  if ("ms" in step) return pass(page, step.ms, within);
  if ("updated" in step) return page.awningEmulator?.fire(step.event, step.updated);
  const actions = beginOnPage(page.document, step);
  for (let next = actions.next(); !next.done; next = actions.next()) {
    perform(next.value);
    await settle(page, within);
  }
}

/** Move the page's clock (`storefront/clock.ts`). Throws why that is not possible. */
async function pass(page: Window, ms: number, within: number): Promise<void> {
  const clock = (page as unknown as Record<symbol, { wait: typeof wait } | undefined>)[Symbol.for("awning.clock")];
  if (!clock) throw "the clock of the page does not stand still: open the page with `now`";
  if (!(await clock.wait(ms, within))) throw `the page's timers take more than ${within / 1000} s`;
}

/** Wait until the page shows what has changed. Throws when this takes more than `within` milliseconds. */
async function settle(page: Window, within: number): Promise<void> {
  const end = performance.now() + within;
  while (page.document.querySelector(BUSY)) {
    if (performance.now() > end) throw `the page does not show the new total within ${within / 1000} s`;
    await new Promise((done) => setTimeout(done, 1));
  }
}

/** The next action of a step; the reason if the step is not possible; null at its end. */
function next(actions: Actions): Action | { refused: string } | null {
  try {
    return actions.next().value ?? null;
  } catch (reason) {
    if (typeof reason === "string") return { refused: reason };
    throw reason;
  }
}

/** The reason why a promise is rejected, if it is a text; "" when it is fulfilled. */
async function refused(work: Promise<void>): Promise<string> {
  try {
    await work;
    return "";
  } catch (reason) {
    if (typeof reason === "string") return reason;
    throw reason;
  }
}

const visit = {
  take,
  next,
  onPage: beginOnPage,
  inBlock: beginInBlock,
  settle: (page: Window, within: number) => refused(settle(page, within)),
  pass: (page: Window, ms: number, within: number) => refused(pass(page, ms, within)),
};

// A symbol, because a name would be a global that only pages of tests have.
Object.defineProperty(globalThis, Symbol.for("awning.visit"), { value: Object.freeze(visit), configurable: true });
