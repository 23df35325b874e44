import { morphChildren } from "./morph.ts";
import { makeRoot } from "./rooted.ts";
import type { Insert } from "./slot.ts";
import { parse } from "./trusted.ts";

/**
 * Insert into an open shadow root with a style of its own: the page's rules do not reach in and the widget's do not
 * reach out. Sizes in rem and fonts work as outside, and so do locators, which look into open roots.
 */
export const shadow =
  (css: string): Insert =>
  (setContent, className, mounted) => {
    let host: HTMLElement | null = null;
    let root: HTMLElement;
    return (html) => {
      const fresh = !host?.isConnected;
      if (fresh) {
        host = makeRoot(setContent, className, "");
        const style = document.createElement("style");
        style.textContent = css;
        root = document.createElement("div");
        root.className = className;
        host?.attachShadow({ mode: "open" }).append(style, root);
      }
      morphChildren(root, parse(html));
      if (fresh && host) {
        mounted?.(root);
      }
    };
  };
