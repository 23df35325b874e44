/**
 * Records the event listeners of elements, and the listeners and intervals that the app adds to the page outside of its
 * blocks: to the window, the document, the shop's elements, a MediaQueryList. When newer code takes over, the listeners
 * and intervals of the older code are removed. Otherwise the handlers of all saved versions would run.
 */
import { isOfApp } from "./blocks.ts";

type Added = readonly [target: EventTarget, type: string, listener: EventListenerOrEventListenerObject | null, capture: boolean];

/** The part of jQuery that concerns listeners. jQuery calls `event.add` for each `on`. */
interface JQuery {
  (element: Element): { off(): void };
  event: {
    add(this: unknown, target: EventTarget, types: string, handler: unknown, data?: unknown, selector?: string): void;
    remove(target: EventTarget, types: string, handler: unknown, selector?: string): void;
  };
}

export interface Listeners {
  /** Remove the listeners of all elements below `root`, also of those in shadow roots. */
  removeBelow(root: Element): void;
  /** Remove the listeners outside of blocks, and the intervals, that code of `owner` added; null for all code of the app. */
  removeGlobal(owner: string | null): void;
}

/** `running` returns the owner of the app's code that is running, or null. */
export function recordListeners(running: () => string | null): Listeners {
  const ofElements = new WeakMap<Element, Added[]>();
  let ofPage: Array<{ owner: string; remove: () => void }> = [];
  const add = EventTarget.prototype.addEventListener;
  const repeat = window.setInterval;

  /** Record `remove` if code of the app is running and `target` outlives its blocks. */
  const recordOfPage = (target: EventTarget, remove: () => void): void => {
    if (target instanceof Element && (!target.isConnected || isOfApp(target))) return;
    // The listeners of a request need no removal, because it ends by itself.
    if (target instanceof XMLHttpRequestEventTarget) return;
    const owner = running();
    if (owner !== null) ofPage.push({ owner, remove });
  };

  const record = (target: EventTarget, [type, listener, options]: Parameters<typeof add>): void => {
    const capture = typeof options === "object" ? options?.capture === true : options === true;
    const added: Added = [target, type, listener, capture];
    if (target instanceof Element) {
      const known = ofElements.get(target);
      if (known) known.push(added);
      else ofElements.set(target, [added]);
    }
    recordOfPage(target, () => remove(added));
  };
  let isInJQuery = false;
  EventTarget.prototype.addEventListener = function (this: EventTarget | undefined, ...passed: Parameters<typeof add>): void {
    if (!isInJQuery) record(this ?? window, passed);
    add.apply(this ?? window, passed);
  };
  // The browser's addListener does not call addEventListener.
  MediaQueryList.prototype.addListener = function (this: MediaQueryList, listener): void {
    this.addEventListener("change", listener as EventListener);
  };

  const events = jQuery()?.event;
  if (events) {
    // jQuery adds one listener for all handlers of an element and type, also those of the shop. So only jQuery can remove
    // a single handler.
    const addHandler = events.add;
    events.add = function (target, types, handler, data, selector): void {
      recordOfPage(target, () => events.remove(target, types, handler, selector));
      isInJQuery = true;
      try {
        addHandler.call(this, target, types, handler, data, selector);
      } finally {
        isInJQuery = false;
      }
    };
  }

  window.setInterval = ((...passed: Parameters<typeof repeat>) => {
    const id = repeat(...passed);
    const owner = running();
    if (owner !== null) ofPage.push({ owner, remove: () => clearInterval(id) });
    return id;
  }) as typeof setInterval;

  return {
    removeBelow(root) {
      const $ = jQuery();
      for (const element of elementsBelow(root)) {
        $?.(element).off();
        ofElements.get(element)?.forEach(remove);
        ofElements.delete(element);
      }
    },
    removeGlobal(owner) {
      const isOlder = (entry: { owner: string }): boolean => owner === null || entry.owner === owner;
      for (const entry of ofPage.filter(isOlder)) entry.remove();
      ofPage = ofPage.filter((entry) => !isOlder(entry));
    },
  };
}

function jQuery(): JQuery | undefined {
  return (window as { jQuery?: JQuery }).jQuery;
}

function remove([target, type, listener, capture]: Added): void {
  target.removeEventListener(type, listener, capture);
}

/** Return the elements below `root`, also those in open shadow roots. */
export function elementsBelow(root: ParentNode): Element[] {
  return [...root.querySelectorAll("*")].flatMap((element) =>
    element.shadowRoot ? [element, ...elementsBelow(element.shadowRoot)] : [element],
  );
}
