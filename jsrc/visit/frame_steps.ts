/** Takes a shopper's steps on the page of a frame, by scripted events, in tests and in the gallery. */
import type { wait } from "../storefront/clock.ts";
import { perform } from "./actions.ts";
import { beginInBlock } from "./block_steps.ts";
import { oneElement } from "./one_element.ts";
import { beginOnPage, type Named } from "./page_steps.ts";
import { performWithPointer } from "./scripted_pointer.ts";

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

/** The field into which the last step typed, by page. It fires `change` when the shopper leaves it for the next step. */
const typed = new WeakMap<Document, Element>();

/** Take a step on the page of a frame, at most `within` milliseconds. Throws why that is not possible. */
export async function take(page: ShopPage, slot: string, step: PageStep | BlockStep, within: number): Promise<void> {
  if ("arguments" in step) {
    const place = page.document.querySelector(`.placeholder-${slot}`);
    if (!place) throw "the page has no place for the block";
    return takeInBlock(place, step, within, true);
  }
  leaveField(page.document);
  if ("ms" in step) return pass(page, step.ms, within);
  if ("updated" in step) return page.awningEmulator?.fire(step.event, step.updated);
  const actions = beginOnPage(page.document, step);
  for (let next = actions.next(); !next.done; next = actions.next()) {
    await performWithPointer(next.value, within);
    await settle(page, within);
  }
}

/**
 * Take a step in the widget's block, at most `within` milliseconds. Throws why that is not possible. Without a pointer,
 * the page does not scroll, the focus stays, and it does not matter what covers the element.
 */
export async function takeInBlock(place: Element, step: BlockStep, within: number, hasPointer: boolean): Promise<void> {
  leaveField(place.ownerDocument);
  const [selector = "", argument = ""] = step.arguments;
  const element = await oneElement(place, selector, within);
  const actions = beginInBlock(element, step.verb, argument, hasPointer);
  for (let next = actions.next(); !next.done; next = actions.next()) {
    if (hasPointer) await performWithPointer(next.value, within);
    else perform(next.value);
    if (next.value.kind === "fill") typed.set(place.ownerDocument, element);
  }
}

/** Fire `change` at the field into which the last step on a page typed. */
export function leaveField(page: Document): void {
  typed.get(page)?.dispatchEvent(new Event("change", { bubbles: true }));
  typed.delete(page);
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
