/**
 * Inserts an element around a widget's content once, and finds it in the page, so that later changes are made inside it
 * instead of through setContent.
 */
import type { Content, Rendered, Show } from "./slot.ts";
import { put } from "./trusted.ts";

/** The return value of setContent. Observed: the wrapper as a jQuery object. */
interface Wrapped {
  0?: ParentNode;
}

/**
 * Insert an element of the class `className` with `html`. Return the element, or undefined if it is not found. The page
 * is searched first, because the return value of setContent is not documented. In a page with several containers, the
 * last match is the element, and the others are copies. The return value is searched if the container is not in the page.
 */
export const makeRoot = (content: Content, className: string, html: string): HTMLElement | null | undefined => {
  const mark = `${className}-${Math.random().toString(36).slice(2)}`;
  let returned: unknown;
  put({ setContent: (html) => (returned = content.setContent(html)) }, `<div class="${className}" data-aw="${mark}">${html}</div>`);
  const selector = `[data-aw="${mark}"]`;
  const within = (returned as Wrapped | undefined)?.[0];
  return [...document.querySelectorAll<HTMLElement>(selector)].pop() ?? within?.querySelector<HTMLElement>(selector);
};

/** Call `mounted` of a rendering made by `live` or `redrawn`, with its element and what shows a rendering there. */
export const mount = (rendered: Rendered | undefined, root: Element, show: Show): void => {
  if (typeof rendered == "object") {
    rendered?.mounted(root, show);
  }
};
