/**
 * Records the event listeners of elements, and the listeners and intervals that the app adds to the window and the
 * document. When newer code takes over, those of the older code are removed. Else each handler would run once for each
 * save.
 */

type Added = readonly [target: EventTarget, type: string, listener: EventListenerOrEventListenerObject | null, capture: boolean];

interface JQuery {
  off(): void;
}

export interface Listeners {
  /** Remove the listeners of all elements below `root`, also of those in shadow roots. */
  removeBelow(root: Element): void;
  /**
   * Remove the listeners of the window and the document, and the intervals, that code of `owner` added; null for all
   * code of the app.
   */
  removeGlobal(owner: string | null): void;
}

/** `running` returns the owner of the app's code that is running, or null. */
export function recordListeners(running: () => string | null): Listeners {
  const ofElements = new WeakMap<Element, Added[]>();
  let ofPage: Array<{ owner: string; remove: () => void }> = [];
  const add = EventTarget.prototype.addEventListener;
  const repeat = window.setInterval;

  const record = (target: EventTarget, [type, listener, options]: Parameters<typeof add>): void => {
    const capture = typeof options === "object" ? options?.capture === true : options === true;
    const added: Added = [target, type, listener, capture];
    if (target instanceof Element) {
      const known = ofElements.get(target);
      if (known) known.push(added);
      else ofElements.set(target, [added]);
      return;
    }
    const owner = target instanceof Window || target instanceof Document ? running() : null;
    if (owner !== null) ofPage.push({ owner, remove: () => remove(added) });
  };
  EventTarget.prototype.addEventListener = function (this: EventTarget | undefined, ...given: Parameters<typeof add>): void {
    record(this ?? window, given);
    add.apply(this ?? window, given);
  };

  window.setInterval = ((...given: Parameters<typeof repeat>) => {
    const id = repeat(...given);
    const owner = running();
    if (owner !== null) ofPage.push({ owner, remove: () => clearInterval(id) });
    return id;
  }) as typeof setInterval;

  return {
    removeBelow(root) {
      // jQuery counts its own listeners, so it has to remove them itself.
      const $ = (window as { jQuery?: (element: Element) => JQuery }).jQuery;
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

function remove([target, type, listener, capture]: Added): void {
  target.removeEventListener(type, listener, capture);
}

/** Return the elements below `root`, also those in open shadow roots. */
export function elementsBelow(root: ParentNode): Element[] {
  return [...root.querySelectorAll("*")].flatMap((element) =>
    element.shadowRoot ? [element, ...elementsBelow(element.shadowRoot)] : [element],
  );
}
