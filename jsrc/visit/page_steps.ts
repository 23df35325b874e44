/**
 * The steps of a shopper on the page of the shop, by verb. `src/awning/workspace/steps.py` has their words, and says on
 * which pages they are possible. A step that is not possible, or that would change nothing, throws the reason.
 */
import { choose, fill, press, reach, type Action, type Actions } from "./actions.ts";

/**
 * What a step names: its argument, null without one; for a variant, also the index of its option in each dimension. With
 * `again`, the step may change nothing.
 */
export interface Named {
  argument: string | null;
  options?: readonly number[];
  again?: boolean;
}

const ONLY_CHECKOUT = "only the checkout does, and an empty cart has no checkout";

function* select(page: Document, { argument, options = [], again = false }: Named): Actions {
  const what = `the option of '${argument}'`;
  let changes = false;
  for (const [dimension, index] of options.entries()) {
    const choice = page.querySelector<HTMLSelectElement>(`form[data-buy] select[data-option="${dimension}"]`);
    if (!choice?.options[index]) throw `this page has no option of ${argument}`;
    if (choice.selectedIndex === index) continue;
    changes = true;
    yield reach(choice, what); // a list that something covers cannot be opened
    yield choose(choice, index, what);
  }
  if (!changes && !again) throw `${argument} is already selected`;
}

function* discount(page: Document, { argument }: Named): Actions {
  const what = "the discount code";
  const form = page.querySelector("form[data-code][data-quote]");
  if (!form) throw `this page accepts no discount code: ${ONLY_CHECKOUT}`;
  const applied = page.querySelector<HTMLElement>("dl[data-totals]")?.dataset.codeValue ?? "";
  if (argument === null) {
    if (!applied) throw "there is no discount code to remove";
    yield press(one(page, "button[data-remove-code]"), what);
    return;
  }
  if (applied === argument) throw `the discount code ${applied} is already applied`;
  yield fill(one(form, "input[name=code]"), argument, what);
  yield press(one(form, "button[type=submit]"), what);
}

function* shipping(page: Document, { argument }: Named): Actions {
  const radio = page.querySelector<HTMLInputElement>(`input[name=shipping][data-shipping][value="${argument}"]`);
  if (!radio) throw `this page has no choice of delivery: ${ONLY_CHECKOUT}`;
  if (radio.checked) throw `${argument} is chosen already`;
  // The radio button itself may be transparent, so a shopper clicks its label.
  yield press(radio.closest("label") ?? radio, `the delivery by ${argument}`);
}

function one(root: ParentNode, selector: string): Element {
  const element = root.querySelector(selector);
  if (!element) throw `the page has no ${selector}`;
  return element;
}

const pageSteps: Readonly<Record<string, (page: Document, named: Named) => Iterator<Action, void>>> = {
  select,
  discount,
  shipping,
};

/** Return the actions of a step on the page. Throws when there is no such step. */
export function beginOnPage(page: Document, step: { verb: string } & Named): Actions {
  const begin = pageSteps[step.verb];
  if (!begin) throw `jsrc/visit/page_steps.ts has no step "${step.verb}"`;
  return begin(page, step);
}
