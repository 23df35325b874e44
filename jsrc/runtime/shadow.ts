import { morphChildren } from "./morph.ts";
import { makeRoot, mount } from "./rooted.ts";
import type { Insert } from "./slot.ts";
import { parse } from "./trusted.ts";

/**
 * Insert into an open shadow root with a style of its own: the page's rules do not reach in and the widget's do not
 * reach out. `rem` is the page's, fonts are declared in the document, and locators look into open roots.
 */
export const shadow =
  (css: string): Insert =>
  (content, className) => {
    let host: HTMLElement | null = null;
    let root: HTMLElement;
    let shown = "";
    const attach = (): void => {
      host = makeRoot(content, className, "");
      root = document.createElement("div");
      root.className = className;
      const style = document.createElement("style");
      style.textContent = css;
      host?.attachShadow({ mode: "open" }).append(style, root);
    };
    return (rendered) => {
      const html = String(rendered || "");
      if (html == shown) {
        return;
      }
      const fresh = !host?.isConnected;
      if (fresh) {
        attach();
      }
      morphChildren(root, parse(html));
      if (fresh) {
        mount(rendered, root);
      }
      shown = html;
    };
  };
