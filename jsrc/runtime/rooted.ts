/**
 * Puts an element around a widget's content, once, and finds it again in the page, so that later changes can be made
 * inside it instead of through setContent.
 */
import type { Content, Rendered } from "./slot.ts";
import { put } from "./trusted.ts";

/** What jQuery objects and elements have in common here. Observed: setContent returns the wrapper as the former. */
interface Wrapped {
  0?: ParentNode;
}

/**
 * The element of the class `className` that now stands around `html`, or null where it cannot be found: it is looked
 * for in the page, since nothing promises what setContent returns, and there where the container is outside of it.
 */
export const makeRoot = (content: Content, className: string, html: string): HTMLElement | null => {
  const mark = `${className}-${Math.random().toString(36).slice(2)}`;
  let returned: unknown;
  put({ setContent: (html) => (returned = content.setContent(html)) }, `<div class="${className}" data-aw="${mark}">${html}</div>`);
  const selector = `[data-aw="${mark}"]`;
  const within = (returned as Wrapped | undefined)?.[0];
  return document.querySelector<HTMLElement>(selector) ?? within?.querySelector<HTMLElement>(selector) ?? null;
};

/** Tell what is rendered which element it is in now. */
export const mount = (rendered: Rendered, root: Element): void => {
  if (typeof rendered == "object") {
    rendered?.mounted(root);
  }
};
