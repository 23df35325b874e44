/**
 * Inserts content into a wrapper, and the wrapper into its containers. It uses the page's jQuery. Without jQuery, or if
 * scripts in the content must not run, it does the same itself.
 */
import type { Assumptions } from "./assumptions.ts";
import { page$ } from "./jquery.ts";
import { isFunction, makeNodes, withScripts } from "./manipulation.ts";

export interface Insertion {
  /** Replace the wrapper's content by a value that was given to jQuery's `.html()`, or that its function returned. */
  fill(wrapper: Element, value: unknown): void;
  /** Insert the wrapper before another block. */
  before(next: Element, wrapper: Element): void;
  /** Append the wrapper to the last container and a copy to each other one, as jQuery's `.append` does. */
  append(containers: readonly Element[], wrapper: Element): void;
  /** Return the number that an element's `data-order` begins with, NaN without one. Later changes have no effect. */
  orderOf(element: Element): number;
  /** Return the result of setContent: the wrapper as a jQuery object, or without jQuery `{ 0: wrapper, length: 1 }`. */
  wrapped(wrapper: Element): unknown;
}

export function insertion(assumptions: Assumptions, scriptsRun: boolean): Insertion {
  const wrapped = (wrapper: Element): unknown => (assumptions.jquery ? page$()(wrapper) : { 0: wrapper, length: 1 });
  return { wrapped, ...(assumptions.jquery && scriptsRun ? byJQuery : byHand(scriptsRun, assumptions.jquery > 0)) };
}

const orderByJQuery = (element: Element): number => Number.parseInt(String(page$()(element).data("order")));

const byJQuery = {
  fill(wrapper: Element, value: unknown): void {
    const block = page$()(wrapper);
    // `.html()` would pass the old content to a function, which is the result of another function here.
    if (isFunction(value)) {
      block.empty().append(value);
    } else {
      block.html(value);
    }
  },
  before: (next: Element, wrapper: Element): void => void page$()(next).before(page$()(wrapper)),
  append: (containers: readonly Element[], wrapper: Element): void => void page$()(containers).append(page$()(wrapper)),
  orderOf: orderByJQuery,
};

/** The `data-order` of elements as it was first read. jQuery stores it in the same way. */
const orders = new WeakMap<Element, string>();

function orderByHand(element: Element): number {
  const order = orders.get(element) ?? element.getAttribute("data-order");
  if (order !== null) {
    orders.set(element, order);
  }
  return Number.parseInt(order ?? "");
}

const byHand = (scriptsRun: boolean, jquery: boolean) => ({
  fill(wrapper: Element, value: unknown): void {
    wrapper.replaceChildren();
    const nodes = makeNodes(value, wrapper);
    withScripts(nodes, scriptsRun, () => {
      wrapper.append(...nodes);
      return [];
    });
  },
  before(next: Element, wrapper: Element): void {
    withScripts([wrapper], scriptsRun, () => {
      next.before(wrapper);
      return [];
    });
  },
  append(containers: readonly Element[], wrapper: Element): void {
    withScripts([wrapper], scriptsRun, () => {
      const copies = containers.slice(0, -1).map(() => copyOf(wrapper));
      containers.forEach((container, at) => container.append(copies[at] ?? wrapper));
      return copies;
    });
  },
  orderOf: jquery ? orderByJQuery : orderByHand,
});

function copyOf(wrapper: Element): Element {
  const copy = wrapper.cloneNode(true) as Element;
  const order = orders.get(wrapper);
  if (order !== undefined) {
    orders.set(copy, order);
  }
  return copy;
}
