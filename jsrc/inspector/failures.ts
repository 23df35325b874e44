/**
 * What widgets throw, as the runtime says it: `console.error(widget, error)`. A widget that fails keeps its last good
 * content, so without this nothing would be seen of it on the page.
 */
import type { Entry } from "./events.ts";

export interface Thrown {
  widget: string;
  message: string;
}

export interface Failures {
  /** Hands over what was said before, and all that is to come. */
  follow(listener: (thrown: Thrown) => void): void;
}

export function listenForFailures(): Failures {
  const before: Thrown[] = [];
  let add = (thrown: Thrown): void => void before.push(thrown);
  const say = console.error;
  console.error = (...said: unknown[]): void => {
    say.apply(console, said);
    const [widget, error] = said;
    if (typeof widget === "string" && error instanceof Error) add({ widget, message: String(error) });
  };
  return {
    follow(listener) {
      add = listener;
      before.splice(0).forEach(listener);
    },
  };
}

/** As the list of events shows it. */
export const entryOf = ({ widget, message }: Thrown): Entry => ({
  t: performance.now(),
  kind: "exception",
  event: null,
  subscriber: null,
  position: null,
  detail: `${widget}: ${message}`,
});
