/**
 * Inserts content into a wrapper, and the wrapper into its containers. It uses the page's jQuery. Without jQuery, or if
 * scripts in the content must not run, it does the same itself.
 */
import type { Assumptions } from "./assumptions.ts";
import { page$ } from "./jquery.ts";
import { makeNodes, withScripts } from "./manipulation.ts";

/** The place of a wrapper: before `next`, or at the container's end if there is no `next`. */
export interface Place {
  container: Element;
  next: Element | null;
}

export interface Insertion {
  /** Replace the wrapper's content, as jQuery's `.html(value)` does. The value is neither undefined nor a function. */
  fill(wrapper: Element, value: unknown): void;
  /** Insert the wrapper into the last place and a copy into each other place, as jQuery's `.append` does. */
  place(places: readonly Place[], wrapper: Element): void;
  /** Return the result of setContent: the wrapper as a jQuery object, or without jQuery `{ 0: wrapper, length: 1 }`. */
  wrapped(wrapper: Element): unknown;
}

export function insertion(assumptions: Assumptions, scriptsRun: boolean): Insertion {
  const wrapped = (wrapper: Element): unknown => (assumptions.jquery ? page$()(wrapper) : { 0: wrapper, length: 1 });
  return { wrapped, ...(assumptions.jquery && scriptsRun ? byJQuery : byHand(scriptsRun)) };
}

const byJQuery = {
  fill: (wrapper: Element, value: unknown): void => void page$()(wrapper).html(value),
  place(places: readonly Place[], wrapper: Element): void {
    const $ = page$();
    const markers = places.map(({ container, next }) => container.insertBefore(document.createTextNode(""), next));
    try {
      $(markers).before($(wrapper));
    } finally {
      markers.forEach((marker) => marker.remove());
    }
  },
};

const byHand = (scriptsRun: boolean) => ({
  fill(wrapper: Element, value: unknown): void {
    wrapper.replaceChildren();
    const nodes = makeNodes(value);
    withScripts(nodes, scriptsRun, () => {
      wrapper.append(...nodes);
      return [];
    });
  },
  place(places: readonly Place[], wrapper: Element): void {
    withScripts([wrapper], scriptsRun, () => {
      const nodes = places.map((_, at) => (at < places.length - 1 ? wrapper.cloneNode(true) : wrapper));
      places.forEach(({ container, next }, at) => container.insertBefore(nodes[at] as Node, next));
      return nodes.slice(0, -1);
    });
  },
});
