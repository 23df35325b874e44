/**
 * The listeners of an event: jQuery's list for the document, or the document's own listeners if the page has no jQuery.
 *
 * The service's runtime passes event names to jQuery. So a string may contain several names, namespaces and white
 * space. Apps that use `$(document).on`, `.off` and `.trigger` change the same list.
 */
import { page$, type JQueryEvent } from "./jquery.ts";

/** A listener. `event` is jQuery's event object or a native event. */
export type Listener = (event: JQueryEvent | Event) => void;

export interface Listeners {
  /** Add a listener. Throws a TypeError for an invalid event name. */
  add(names: unknown, listener: Listener): void;
  /** Call every listener of `event`, in order. `created` gets the event object before the first call. */
  trigger(event: string, extra: unknown[], created: (event: object) => void): void;
}

export const jQueryListeners: Listeners = {
  add: (names, listener) => void page$()(document).on(names, listener),
  trigger(event, extra, created) {
    const $ = page$();
    const triggered = $.Event(event);
    created(triggered);
    $(document).trigger(triggered, extra);
  },
};

/** What jQuery would keep of a native event that was triggered as `name.space`: the namespaces, and the arguments. */
const triggers = new WeakMap<Event, { spaces: readonly string[]; extra: readonly unknown[] }>();

export const nativeListeners: Listeners = {
  add(names, listener) {
    if (typeof names !== "object") {
      addNative(names, listener);
      return;
    }
    // To jQuery, an object maps names to listeners, so a list has the names `0`, `1` and so on. A missing value stands
    // for the second argument.
    for (const name in names) {
      const own = (names as Record<string, unknown>)[name] ?? listener;
      if (own === listener) {
        addNative(name, listener);
      } else if (own) {
        addNative(name, (event) =>
          Reflect.apply(own as () => void, document, [event, ...(triggers.get(event as Event)?.extra ?? [])]),
        );
      }
    }
  },
  trigger(event, extra, created) {
    const [type = "", ...spaces] = event.split(".");
    const triggered = new CustomEvent(type, { bubbles: true, cancelable: true });
    triggers.set(triggered, { spaces, extra });
    created(triggered);
    document.dispatchEvent(triggered);
  },
};

function addNative(names: unknown, listener: Listener): void {
  if (names && typeof names !== "string") {
    throw new TypeError(`${String(names)} is no event name`);
  }
  // As in jQuery, the last name is added first, a namespace alone is ignored, and a name such as `toString` is an error.
  for (const name of (((names as string) || "").match(/\S+/g) ?? []).reverse()) {
    const [type = "", ...own] = name.split(".");
    if (type in {}) {
      throw new TypeError(`"${type}" is no event name: every object has a member of this name`);
    }
    if (type) {
      document.addEventListener(type, (event) => {
        // Only listeners with all namespaces of the event get it.
        if ((triggers.get(event)?.spaces ?? []).every((space) => own.includes(space))) {
          listener(event);
        }
      });
    }
  }
}
