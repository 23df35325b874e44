/**
 * The steps of a state in the gallery: events that the page fires, and actions of a shopper in the widget's block, which
 * are performed by scripted events. So a frame of the gallery does not take the focus from the page around it. The page
 * gets storage and cookies of its own.
 */
import "./own_storage.ts";
import type { wait } from "../storefront/clock.ts";
import { leaveField, takeInBlock } from "./frame_steps.ts";

/**
 * An update that the page fires, the event parameter of a page that is replaced in place (null if it fires no event), a
 * wait, or an action in the block with its arguments.
 */
export type StagedStep = { update: unknown } | { replaced: unknown } | { words: string; ms: number } | { words: string; verb: string; arguments: string[] };

/** The events of a state: the base event, the updates that the page fires by itself, and the steps that follow. */
export interface StagedEvents {
  event: string;
  params: Record<string, unknown>;
  automatic: unknown[];
  steps: StagedStep[];
}

const WAIT_WITHIN_MS = 5000;
const POLL_MS = 50;

const later = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Fire the events of a state, and take its steps when the page is loaded. */
export function begin(slot: HTMLElement, { event, params, automatic, steps }: StagedEvents): void {
  awningEmulator.host(slot, event, params);
  for (const update of automatic) awningEmulator.fire(`${event}-updated`, update);
  // The page repeats its preselection from a timer after ready (observed). The shopper's steps come after that.
  addEventListener("load", () => setTimeout(() => void play(slot, event, steps)));
}

/** Take the steps one after another. If a step is not possible, write the reason under the slot and stop. */
async function play(slot: HTMLElement, event: string, steps: StagedStep[]): Promise<void> {
  for (const step of steps) {
    if (!("words" in step)) leaveField(document); // the shopper acts outside of the block
    if ("update" in step) {
      awningEmulator.fire(`${event}-updated`, step.update);
      continue;
    }
    if ("replaced" in step) {
      slot.replaceChildren();
      if (step.replaced) awningEmulator.host(slot, event, step.replaced);
      continue;
    }
    try {
      if ("ms" in step) {
        await waitOnPage(step.ms);
        continue;
      }
      await takeInBlock(slot, step, WAIT_WITHIN_MS, false);
    } catch (error) {
      report(slot, `${step.words}: ${error instanceof Error ? error.message : String(error)}`);
      break;
    }
    await later(0);
  }
  document.documentElement.setAttribute("data-staged", "");
}

async function waitOnPage(ms: number): Promise<void> {
  await later(POLL_MS); // The answers of other hosts come first, as in tests.
  const clock = (globalThis as Record<symbol, unknown>)[Symbol.for("awning.clock")] as { wait: typeof wait };
  if (!(await clock.wait(ms, WAIT_WITHIN_MS))) throw new Error(`the page's timers take more than ${WAIT_WITHIN_MS / 1000} s`);
}

function report(slot: Element, text: string): void {
  console.error(`the step ${text}`);
  const note = document.createElement("p");
  note.setAttribute("role", "alert");
  note.style.cssText = "margin:8px 0;padding:8px 12px;font:14px/1.4 system-ui,sans-serif;color:#8a1c1c;background:#fdecea;border-radius:4px";
  note.textContent = `The step ${text}`;
  slot.after(note);
}

Object.defineProperty(globalThis, "awningSteps", { value: Object.freeze({ begin }) });
