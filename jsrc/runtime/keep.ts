import { morphChildren, rememberOpen } from "./morph.ts";
import { makeRoot } from "./rooted.ts";
import type { Insert } from "./slot.ts";
import { parse } from "./trusted.ts";

/** Patch each change into the content that is there, so that focus, caret, typed values and open details survive. */
export const keep: Insert = (setContent, className, mounted) => {
  let root: HTMLElement | null = null;
  return (html) => {
    if (root?.isConnected) {
      morphChildren(root, parse(html));
      return;
    }
    root = makeRoot(setContent, className, html);
    if (root) {
      rememberOpen(root);
      mounted?.(root);
    }
  };
};
