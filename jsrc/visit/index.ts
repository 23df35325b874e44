/**
 * A shopper's steps, for tests. In a frame `take` performs a step on the shop's page; elsewhere `begin` and `next` say
 * what to do, and the caller does it with a real pointer.
 */
import type { Action, Actions } from "./actions.ts";
import { beginInBlock } from "./block_steps.ts";
import { pass, settle, take } from "./frame_steps.ts";
import { obstacleTo } from "./obstacles.ts";
import { beginOnPage } from "./page_steps.ts";

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
  obstacleTo,
  settle: (page: Window, within: number) => refused(settle(page, within)),
  pass: (page: Window, ms: number, within: number) => refused(pass(page, ms, within)),
};

// A symbol, because a name would be a global that only pages of tests have.
Object.defineProperty(globalThis, Symbol.for("awning.visit"), { value: Object.freeze(visit), configurable: true });
