/**
 * How content gets into a wrapper and a wrapper into its container, with the page's jQuery or as it would do it.
 */
import type { Assumptions } from "./assumptions.ts";
import { page$ } from "./jquery.ts";
import { makeNodes, withScripts } from "./manipulation.ts";

/** Where a wrapper goes: before `next`, or at the end. */
export interface Place {
  container: Element;
  next: Element | null;
}

export interface Insertion {
  /** Replace what the wrapper holds, as jQuery's `.html(value)` with a value that is neither undefined nor a function. */
  fill(wrapper: Element, value: unknown): void;
  /** Put the wrapper into the last place and a copy of it into each other one: what jQuery's `.append` does. */
  place(places: readonly Place[], wrapper: Element): void;
  /** What setContent returns: the wrapper as a jQuery object, or what can be read of one. */
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
