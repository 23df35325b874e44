/**
 * One block of the app, while successive versions of the app's code fill it. Newer code keeps the elements of older
 * code: its first content is patched into the present one. So typed text, focus, scrolling and open details stay.
 */
import { morphChildren } from "../runtime/morph.ts";
import type { Succession } from "../runtime/slot.ts";
import type { ContentHandler } from "../types/service.ts";
import type { Listeners } from "./listeners.ts";
import { useHtml } from "./trusted.ts";

type Handler = ContentHandler<unknown>;

export interface Block {
  /**
   * Return the handler for newer code. From then on, handlers of older code change nothing. With `keepsChanges`, what
   * handlers of the older code have changed stays where the new content is rendered as before.
   */
  handOver(keepsChanges: boolean): Handler;
  /** Empty the block, unless the newer code has set a content or will do so later. */
  emptyIfUnset(): void;
  empty(): void;
  /** Whether the block's element was removed from the page. False without an element. */
  isGone(): boolean;
  /** End the block, which is no longer on the page: disable its handlers, and remove its elements' listeners. */
  end(): void;
}

/** Make a block. `init` is the service's initContentHandler, which returns the content handler of the block. */
export function makeBlock(init: () => Handler, listeners: Listeners): Block {
  let wrapper: Element | null = null;
  /** The HTML that was set last; null if it was not a string. */
  let html: string | null = null;
  /** The HTML that the runtime has rendered into the widget's element since `html` was set; null if it has not. */
  let inner: string | null = null;
  let version = 0;
  /** Whether the newer code still has to set its first content. */
  let isUnset = false;
  /** Whether the newer code has announced that it will set its first content later. */
  let isAwaited = false;

  /** Call a function of the service, and remember the wrapper if the function inserts it. */
  const watched = <Result>(call: () => Result): Result => {
    if (wrapper) return call();
    const observer = new MutationObserver(() => {});
    observer.observe(document, { childList: true, subtree: true });
    try {
      return call();
    } finally {
      wrapper = wrapperIn(observer.takeRecords());
      observer.disconnect();
    }
  };
  const handler = watched(init);

  const set = (content: string | Node): unknown => {
    if (isUnset && wrapper) listeners.removeBelow(wrapper);
    isUnset = false;
    html = typeof content === "string" ? content : null;
    inner = null;
    return watched(() => handler.setContent(content));
  };

  /** Patch the content into the present one. Return false if that is not possible. */
  const patch = (content: string | Node, keepsChanges: boolean): boolean => {
    if (!wrapper?.isConnected || html === null || typeof content !== "string" || /<script/i.test(content)) return false;
    const after = parsed(content);
    const host = wrapper.firstElementChild;
    if (host?.shadowRoot && after.firstElementChild?.hasChildNodes()) return false;
    listeners.removeBelow(wrapper);
    const before = parsed(html);
    if (inner !== null && before.firstElementChild && !host?.shadowRoot) setHtml(before.firstElementChild, inner);
    html = content;
    if (!host?.shadowRoot) inner = null;
    isUnset = false;
    morphChildren(wrapper, after, keepsChanges ? before : wrapper);
    return true;
  };

  const handOver = (keepsChanges: boolean): Handler => {
    const own = ++version;
    isUnset = own > 1;
    isAwaited = false;
    const succession: Succession = {
      isOver: () => own !== version,
      rendered: (content) => {
        if (own === version) inner = content;
      },
      last: keepsChanges ? inner : null,
      awaits: () => {
        if (own === version) isAwaited = true;
      },
      settled: () => {
        if (own === version) block.emptyIfUnset();
      },
    };
    const setContent = (content: string | Node): unknown => {
      if (own !== version) return undefined;
      // A patch bypasses the service's setContent. A call without an argument leaves the content as it is, returns the
      // wrapper and adds an entry to the trace.
      const read = handler.setContent as () => unknown;
      return isUnset && patch(content, keepsChanges) ? read() : set(content);
    };
    return Object.assign({ params: handler.params, setContent }, { awning: succession });
  };

  const block: Block = {
    handOver,
    emptyIfUnset() {
      if (isUnset && !isAwaited) block.empty();
      isAwaited = false;
    },
    empty() {
      if (wrapper?.hasChildNodes()) set("");
      isUnset = false;
    },
    isGone: () => wrapper !== null && !wrapper.isConnected,
    end() {
      version++;
      if (wrapper) listeners.removeBelow(wrapper);
    },
  };
  return block;
}

/** Return the wrapper that the service inserted, which has an attribute with its position; null if there is none. */
function wrapperIn(records: MutationRecord[]): Element | null {
  const added = records.flatMap((record) => [...record.addedNodes]);
  return added.find((node): node is Element => node instanceof Element && node.hasAttribute("data-order")) ?? null;
}

/** Parse HTML in a document of its own, so that nothing is loaded and no script runs. */
function parsed(html: string): Element {
  const element = document.implementation.createHTMLDocument().createElement("div");
  setHtml(element, html);
  return element;
}

function setHtml(element: Element, html: string): void {
  useHtml(html, (text) => (element.innerHTML = text));
}
