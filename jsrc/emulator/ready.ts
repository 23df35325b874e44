/**
 * When a delivery runs. Observed: deferred to document-ready through jQuery, so before ready it waits, and after
 * ready it runs inside the call; and one foreign ready handler that throws leaves jQuery 2.2.4's list of handlers
 * stuck, so that nothing runs any more. With jQuery on the page that is not imitated but simply happens.
 */
import type { Assumptions } from "./assumptions.ts";
import { callsReadyAtOnce, pageJQuery } from "./jquery.ts";

export type Schedule = (work: () => void) => void;

export function makeSchedule(assumptions: Assumptions): Schedule {
  const own = makeOwnQueue();
  return (work) => {
    const timed = () => void setTimeout(work, 0);
    if (assumptions.is("before-ready", "now") && !own.ready()) {
      work();
      return;
    }
    const todo = assumptions.is("after-ready", "timer") && own.ready() ? timed : work;
    const jquery = pageJQuery();
    if (jquery && assumptions.is("foreign-ready-throw", "vanish") && callsReadyAtOnce(jquery)) {
      jquery(todo);
    } else {
      own.run(todo);
    }
  };
}

/** Ready without jQuery. What is added while the waiting work runs comes after it, as in jQuery. */
function makeOwnQueue(): { run: Schedule; ready: () => boolean } {
  const waiting: Array<() => void> = [];
  let ready = document.readyState !== "loading";
  let draining = false;
  const drain = () => {
    ready = draining = true;
    for (let work = waiting.shift(); work; work = waiting.shift()) {
      survive(work);
    }
    draining = false;
  };
  if (!ready) {
    document.addEventListener("DOMContentLoaded", drain, { once: true });
  }
  return { ready: () => ready, run: (work) => (ready && !draining ? work() : void waiting.push(work)) };
}

/** Report an exception as uncaught, without losing the work that waits behind. */
function survive(work: () => void): void {
  try {
    work();
  } catch (error) {
    setTimeout(() => {
      throw error;
    }, 0);
  }
}
