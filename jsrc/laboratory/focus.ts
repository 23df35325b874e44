/** Checks whether focus, typed text, choices and opened details survive updates. */
import type { Frame } from "./frame.ts";
import { kindOf, within } from "./look.ts";
import type { Update } from "../visit/page_moves.ts";
import { isTextField, typeInto } from "./typing.ts";

const TYPED = "typed by a shopper";
const CLOSES = "what a shopper has opened closes";
const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
/** What an update has undone: a focus, a text, a choice, an opened element. */
export interface Loss {
  what: string;
  /** The first update since which it is lost. */
  update: Update;
}

/**
 * Focus each control of the block, type into it or choose it, then deliver the updates. Return what is lost after the
 * last of them.
 *
 * Each `<details>` of the block is opened first, and must stay open.
 */
export async function lostAtUpdates(frame: Frame, slot: string, updates: readonly Update[], deliver: (update: Update) => Promise<void>): Promise<Loss[]> {
  const lost: Loss[] = [];
  const opened = open(frame, slot);
  const count = focusable(frame, slot).length;
  for (let place = 0; place < count; place++) {
    const element = focusable(frame, slot)[place];
    if (!element) continue;
    element.focus();
    if (activeElement(frame) !== element) continue;
    const text = isTextField(element) && !element.readOnly ? typeInto(frame, element, TYPED) : null;
    const chosen = choose(element);
    const losses = (): string[] => {
      if (openIn(frame, slot).length < opened) return [CLOSES];
      const after = focusable(frame, slot);
      const counterpart = after[place];
      if (after.length !== count || !counterpart || kindOf(counterpart) !== kindOf(element)) return [];
      return [
        ...(activeElement(frame) !== counterpart ? ["loses the focus"] : []),
        ...(text !== null && (counterpart as HTMLInputElement).value !== text ? ["loses the typed text"] : []),
        ...(chosen && !(counterpart as HTMLInputElement).checked ? ["loses the choice"] : []),
      ].map((loss) => `${kindOf(element)} ${loss}`);
    };
    let since = new Map<string, Update>();
    for (const update of updates) {
      await deliver(update);
      since = new Map(losses().map((what) => [what, since.get(what) ?? update]));
    }
    lost.push(...[...since].map(([what, update]) => ({ what, update })));
    if (since.has(CLOSES)) break;
  }
  return lost;
}

/** Open each `<details>` of the block. Return how many are open. */
function open(frame: Frame, slot: string): number {
  for (const details of elementsIn(frame, slot)) if (details.matches("details")) details.setAttribute("open", "");
  return openIn(frame, slot).length;
}

function openIn(frame: Frame, slot: string): Element[] {
  return elementsIn(frame, slot).filter((element) => element.matches("details[open]"));
}

/** Choose a radio button or a checkbox. Return whether it is chosen now; false for any other element. */
function choose(element: HTMLElement): boolean {
  if (!element.matches("[type=radio], [type=checkbox]")) return false;
  const input = element as HTMLInputElement;
  if (!input.checked) input.click();
  return input.checked;
}

function elementsIn(frame: Frame, slot: string): Element[] {
  const block = frame.document.querySelector(`.placeholder-${slot}`);
  return block ? within(block) : [];
}

function focusable(frame: Frame, slot: string): HTMLElement[] {
  return elementsIn(frame, slot).filter((element): element is HTMLElement => element.matches(FOCUSABLE) && !element.matches(":disabled, [data-foreign] *") && element.checkVisibility());
}

function activeElement(frame: Frame): Element | null {
  let active = frame.document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active;
}
