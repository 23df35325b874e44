/**
 * What widgets throw, as the runtime says it: `console.error(widget, error)`. A widget that fails keeps its last good
 * content, so without this nothing would be seen of it on the page.
 */
import type { Entry } from "./events.ts";

export interface Failures {
  /** Hands over what was said before, and all that is to come. */
  follow(add: (entry: Entry) => void): void;
}

export function listenForFailures(): Failures {
  const before: Entry[] = [];
  let add = (entry: Entry): void => void before.push(entry);
  const say = console.error;
  console.error = (...said: unknown[]): void => {
    say.apply(console, said);
    const [widget, error] = said;
    if (typeof widget === "string" && error instanceof Error) add(entryOf(`${widget}: ${error}`));
  };
  return {
    follow(listener) {
      add = listener;
      before.splice(0).forEach(listener);
    },
  };
}

const entryOf = (detail: string): Entry => ({
  t: performance.now(),
  kind: "exception",
  event: null,
  subscriber: null,
  position: null,
  detail,
});
