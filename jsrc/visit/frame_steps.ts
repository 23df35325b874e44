/** Takes a shopper's steps on the page of a frame, by scripted events, in tests and in the gallery. */
import type { wait } from "../storefront/clock.ts";
import { beginInBlock } from "./block_steps.ts";
import { isChosen } from "./fields.ts";
import { isNamed, oneElement } from "./one_element.ts";
import { beginOnPage, type Named } from "./page_steps.ts";
import { performInPlace, performWithPointer } from "./scripted_pointer.ts";

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

/** The field that a shopper types into, by page, and its text before. It fires `change` when it is left with another. */
const typed = new WeakMap<Document, { field: Element; before: string | undefined }>();

/** Take a step on the page of a frame, at most `within` milliseconds. Throws why that is not possible. */
export async function take(page: ShopPage, slot: string, step: PageStep | BlockStep, within: number): Promise<void> {
  if ("arguments" in step) {
    const place = page.document.querySelector(`.placeholder-${slot}`);
    if (!place) throw "the page has no place for the block";
    return takeInBlock(place, step, within, true);
  }
  if ("ms" in step) return pass(page, step.ms, within);
  if ("updated" in step) return page.awningEmulator?.fire(step.event, step.updated);
  leaveField(page.document);
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
  const page = place.ownerDocument;
  const [selector = "", argument = ""] = step.arguments;
  leaveFieldFor(place, selector);
  const element = await oneElement(place, within, selector, [step.verb, argument]);
  const actions = beginInBlock(element, step.verb, argument, hasPointer);
  for (let next = actions.next(); !next.done; next = actions.next()) {
    if (next.value.method === "fill" && !isChosen(element) && !typed.has(page)) typed.set(page, { field: element, before: textOf(element) });
    if (hasPointer) await performWithPointer(next.value, within);
    else performInPlace(next.value);
  }
}

/** Leave the field that the shopper types into, unless the next step is in the same field. */
export function leaveFieldFor(place: Element, selector: string): void {
  const page = place.ownerDocument;
  const { field } = typed.get(page) ?? {};
  if (field && !isNamed(place, selector, field)) leaveField(page);
}

export function leaveField(page: Document): void {
  const { field, before } = typed.get(page) ?? {};
  typed.delete(page);
  if (field?.isConnected && textOf(field) !== before) field.dispatchEvent(new Event("change", { bubbles: true }));
}

/** The text of a field for text. An element that can be edited has none, and fires no `change`. */
function textOf(field: Element): string | undefined {
  return (field as HTMLInputElement).value;
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
