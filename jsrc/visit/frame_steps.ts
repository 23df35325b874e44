/** Takes a shopper's steps on the page of a frame, by scripted events. */
import type { wait } from "../storefront/clock.ts";
import { perform } from "./actions.ts";
import { beginInBlock } from "./block_steps.ts";
import { oneElement } from "./one_element.ts";
import { beginOnPage, type Named } from "./page_steps.ts";

/** A step on the page: a verb with what it names, a wait of `ms` milliseconds, or an event that a test fires. */
export type PageStep =
  | ({ verb: string } & Named)
  | { verb: "wait"; ms: number }
  | { verb: "update"; event: string; updated: unknown };

/** A step in the widget's block: its verb, and its arguments, of which the first is a selector. */
export interface BlockStep {
  verb: string;
  arguments: readonly string[];
}

type ShopPage = Window & { awningEmulator?: { fire(event: string, updated: unknown): void } };

/** What the page shows while a change is under way. */
const BUSY = "[data-totals][aria-busy], [data-cart][aria-busy]";

/** Take a step on the page of a frame, at most `within` milliseconds. Throws why that is not possible. */
export async function take(page: ShopPage, step: PageStep, within: number): Promise<void> {
  if ("ms" in step) return pass(page, step.ms, within);
  if ("updated" in step) return page.awningEmulator?.fire(step.event, step.updated);
  const actions = beginOnPage(page.document, step);
  for (let next = actions.next(); !next.done; next = actions.next()) {
    perform(next.value);
    await settle(page, within);
  }
}

/** Take a step in the widget's block, at most `within` milliseconds. Throws why that is not possible. Returns its element. */
export async function takeInBlock(slot: Element, step: BlockStep, within: number): Promise<Element> {
  const [selector = "", argument = ""] = step.arguments;
  const element = await oneElement(slot, selector, within);
  const actions = beginInBlock(element, step.verb, argument, false);
  for (let next = actions.next(); !next.done; next = actions.next()) perform(next.value);
  return element;
}

/** Move the page's clock (`storefront/clock.ts`). Throws why that is not possible. */
export async function pass(page: Window, ms: number, within: number): Promise<void> {
  const clock = (page as unknown as Record<symbol, { wait: typeof wait } | undefined>)[Symbol.for("awning.clock")];
  if (!clock) throw "the clock of the page does not stand still: open the page with `now`";
  if (!(await clock.wait(ms, within))) throw `the page's timers take more than ${within / 1000} s`;
}

/** Wait until the page shows what has changed. Throws when this takes more than `within` milliseconds. */
export async function settle(page: Window, within: number): Promise<void> {
  const end = performance.now() + within;
  while (page.document.querySelector(BUSY)) {
    if (performance.now() > end) throw `the page does not show the new total within ${within / 1000} s`;
    await new Promise((done) => setTimeout(done, 1));
  }
}
