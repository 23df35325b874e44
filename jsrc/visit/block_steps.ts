/**
 * The steps of a shopper in the widget's block, by verb, for the element that a step's selector matches.
 * `src/awning/workspace/steps.py` has their words. A step that is not possible, or that would change nothing, throws the
 * reason; a click is always possible.
 */
import { choose, fill, press, type Action, type Actions } from "./actions.ts";
import { isFieldForText, optionOf, valueFor } from "./fields.ts";

const WHAT = "the element";

function* click(element: Element): Actions {
  yield press(element, WHAT);
}

/** Replace the text of a field. The focus stays there, so most fields fire `change` when a later step leaves them. */
function* type(element: Element, text: string): Actions {
  if (!isFieldForText(element)) throw misplaced(element, "field for text");
  yield fill(element, valueFor(element, text), WHAT);
}

function* setChecked(element: Element, wanted: boolean, hasPointer: boolean): Actions {
  if (!element.matches("input:is([type=checkbox], [type=radio])")) throw misplaced(element, "checkbox or radio button");
  const box = element as HTMLInputElement;
  if (box.checked === wanted) throw `it is ${wanted ? "checked" : "unchecked"} already`;
  const label = hasPointer ? box.labels?.[0] : undefined;
  yield press(label && !isReached(box) ? label : box, WHAT);
}

/** Choose an option by its label, else by its value. */
function* chooseOption(element: Element, name: string): Actions {
  if (element.localName !== "select") throw misplaced(element, "<select>");
  const list = element as HTMLSelectElement;
  const option = optionOf(list, name);
  const known = [...list.options].map(({ label, value }) => (value === label ? label : `${label} (value ${value})`));
  if (!option) throw `it has no option "${name}"; it has ${known.join(", ") || "none"}`;
  if (option.selected) throw `"${name}" is chosen already`;
  yield choose(element, option.index, WHAT);
}

function* setOpen(element: Element, wanted: boolean): Actions {
  if (element.localName !== "details") throw misplaced(element, "<details>");
  if ((element as HTMLDetailsElement).open === wanted) throw `it is ${wanted ? "open" : "closed"} already`;
  const summary = element.querySelector(":scope > summary");
  if (!summary) throw "it has no <summary>";
  yield press(summary, WHAT);
}

function misplaced(element: Element, what: string): string {
  const type = element.localName === "input" ? ` type="${(element as HTMLInputElement).type}"` : "";
  return `<${element.localName}${type}> is no ${what}`;
}

/**
 * Whether a pointer reaches a checkbox or radio button itself, or one of its labels. A styled checkbox is often hidden,
 * and only its label can be clicked.
 */
function isReached(box: HTMLInputElement): boolean {
  box.scrollIntoView({ block: "nearest" });
  const { left, top, width, height } = box.getBoundingClientRect();
  const hit = (box.getRootNode() as Document | ShadowRoot).elementFromPoint(left + width / 2, top + height / 2);
  const isOwn = hit === box || [...(box.labels ?? [])].some((label) => label.contains(hit));
  return width > 1 && height > 1 && hit !== null && isOwn;
}

const blockSteps: Readonly<Record<string, (element: Element, argument: string, hasPointer: boolean) => Iterator<Action, void>>> = {
  click,
  type,
  check: (element, _, hasPointer) => setChecked(element, true, hasPointer),
  uncheck: (element, _, hasPointer) => setChecked(element, false, hasPointer),
  choose: chooseOption,
  open: (element) => setOpen(element, true),
  close: (element) => setOpen(element, false),
};

/**
 * Return the actions of a step in the block. Throws when there is no such step. Without a pointer, nothing has to be in
 * view, and the page does not scroll.
 */
export function beginInBlock(element: Element, verb: string, argument: string, hasPointer = true): Actions {
  const step = blockSteps[verb];
  if (!step) throw `jsrc/visit/block_steps.ts has no step "${verb}"`;
  return step(element, argument, hasPointer);
}
