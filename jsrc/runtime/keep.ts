import { morphChildren } from "./morph.ts";
import { makeRoot, mount } from "./rooted.ts";
import type { Insert, Show } from "./slot.ts";
import { parse } from "./trusted.ts";

/** Patch each change into the present content, so that focus, caret, typed values and open details survive. */
export const keep: Insert = (content, className) => {
  let root: HTMLElement | null | undefined;
  let current = "";
  const show: Show = (rendered) => {
    const html = String(rendered || "");
    // The same HTML again changes nothing, unless the page has removed the block.
    if ((html == current && (!html || root?.isConnected)) || (AWNING_DEV && content.awning?.isOver())) {
      return;
    }
    if (root?.isConnected) {
      morphChildren(root, parse(html), parse(current));
    } else {
      root = makeRoot(content, className, html);
      if (root) {
        mount(rendered, root, show);
      }
    }
    current = html;
    if (AWNING_DEV) {
      content.awning?.rendered(html);
    }
  };
  return show;
};
