/** Finds the element of the widget's block that a step names, also in open shadow roots. */
import { obstacleTo } from "./obstacles.ts";

const OWN_BLOCKS = "[data-order]:not(:has(> [data-foreign]))";
const POLL_MS = 10;

/**
 * Wait for the element, which a response or a timer may insert or enable, at most `within` milliseconds. Throws the reason
 * when none or several match, when the element is hidden or the step has an obstacle there, or when the selector is not CSS.
 */
export async function oneElement(slot: Element, within: number, selector: string, step: readonly [verb: string, argument: string]): Promise<Element> {
  for (const end = performance.now() + within; performance.now() < end && !hasOne(slot, selector, ...step); ) {
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
  const [element, ...others] = matches(slot, selector);
  if (!element) throw "nothing in the block matches the selector";
  if (others.length) throw `${others.length + 1} elements in the block match the selector`;
  if (!isVisible(element)) throw "the element is hidden";
  const obstacle = obstacleTo(element, ...step);
  if (obstacle) throw obstacle;
  return element;
}

/** Whether a selector matches one visible element of the block, where a step has no obstacle. Throws when it is not CSS. */
export function hasOne(slot: Element, selector: string, verb?: string, argument?: string): boolean {
  const [element, another] = matches(slot, selector);
  return element !== undefined && another === undefined && isVisible(element) && !obstacleTo(element, verb, argument);
}

/** Whether a selector matches this element of the block, and no other. Throws when it is not CSS. */
export function isNamed(slot: Element, selector: string, element: Element): boolean {
  const [first, another] = matches(slot, selector);
  return first === element && another === undefined;
}

function isVisible(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true });
}

function matches(slot: Element, selector: string): Element[] {
  const blocks = [...slot.querySelectorAll(OWN_BLOCKS)];
  try {
    return blocks.flatMap((block) => matchesIn(block, selector));
  } catch {
    throw `${selector} is not a CSS selector`;
  }
}

function matchesIn(root: ParentNode, selector: string): Element[] {
  const shadows = [...root.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? []);
  return [...root.querySelectorAll(selector), ...shadows.flatMap((shadow) => matchesIn(shadow, selector))];
}
