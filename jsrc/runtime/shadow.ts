import { morphChildren } from "./morph.ts";
import { makeRoot, mount } from "./rooted.ts";
import type { Insert, Show } from "./slot.ts";
import { parse } from "./trusted.ts";

/**
 * Insert into an open shadow root with its own style. The page's style rules do not apply inside, and the widget's do
 * not apply outside. `rem` is relative to the page's font size. Fonts must be declared in the document. The locators of
 * tests find elements in open shadow roots.
 */
export const shadow =
  (css: string): Insert =>
  (content, className) => {
    let host: HTMLElement | null | undefined;
    let root: HTMLElement;
    let current = "";
    const attach = (): void => {
      host = makeRoot(content, className, "");
      current = "";
      if (AWNING_DEV && host?.shadowRoot) {
        // A page of the dev server keeps the host element that the widget's previous code has made.
        const [style, old] = host.shadowRoot.children as unknown as [Element, HTMLElement];
        style.textContent = css;
        root = old;
        current = content.awning?.last ?? "";
        return;
      }
      root = document.createElement("div");
      root.className = className;
      const style = document.createElement("style");
      style.textContent = css;
      host?.attachShadow({ mode: "open" }).append(style, root);
    };
    const show: Show = (rendered) => {
      const html = String(rendered || "");
      // The same HTML again changes nothing, unless the page has removed the block.
      if ((html == current && (!html || host?.isConnected)) || (AWNING_DEV && content.awning?.isOver())) {
        return;
      }
      const fresh = !host?.isConnected;
      if (fresh) {
        attach();
      }
      morphChildren(root, parse(html), parse(current));
      if (fresh) {
        mount(rendered, root, show);
      }
      current = html;
      if (AWNING_DEV) {
        content.awning?.rendered(html);
      }
    };
    return show;
  };
