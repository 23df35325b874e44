/**
 * Collects the errors of widgets. The runtime logs them as `console.error(widget, error)`. The service logs an error of
 * a raw script (one that subscribes itself) if it happens in a callback, and the runtime logs an error of an event
 * handler: both without a name. Other errors of raw scripts, and those in promises, are uncaught. A widget that fails
 * keeps its last good content, so the page itself does not show an error.
 */
import { lengthenStacks, originOf, type Origin } from "./origin.ts";

export interface Thrown {
  widget: string;
  message: string;
  origin: Origin | null;
  /** Whether the emulator's trace may already have the error. The trace has errors of callbacks, not of handlers. */
  traced: boolean;
}

/** Call `add` with each error from now on. */
export function listenForFailures(add: (thrown: Thrown) => void): void {
  const threw = (error: unknown, traced: boolean): void => {
    const origin = error instanceof Error ? originOf(error) : null;
    // An error of another app has no origin in this app's script, so it is ignored.
    if (origin) add({ widget: origin.widget ?? "a shared script", message: String(error), origin, traced });
  };
  lengthenStacks();
  const say = console.error;
  console.error = (...messages: unknown[]): void => {
    const [widget, error] = messages;
    if (typeof widget === "string" && error instanceof Error) {
      add({ widget, message: String(error), origin: originOf(error), traced: false });
    } else if (messages.length === 1) {
      threw(widget, true);
    }
    say.apply(console, messages);
  };
  addEventListener("error", (event) => threw(event.error, false));
  addEventListener("unhandledrejection", (event) => threw(event.reason, false));
}
