/**
 * When a delivery runs. Observed: deferred to document-ready through jQuery, so before ready it waits, and after
 * ready it runs inside the call; and one foreign ready handler that throws leaves jQuery 2.2.4's list of handlers
 * stuck, so that nothing runs any more. With jQuery on the page that is not imitated but simply happens.
 */
import type { Assumptions } from "./assumptions.ts";
import { callsReadyAtOnce, pageJQuery } from "./jquery.ts";

type Run = (work: () => void) => void;

export interface Schedule {
  /** Run what the page fires. */
  fired: Run;
  /** Run what a timer has put off already: no switch puts it off again. */
  fromTimer: Run;
}

export function makeSchedule(assumptions: Assumptions): Schedule {
  const own = makeOwnQueue();
  const whenReady: Run = (work) => {
    const jquery = pageJQuery();
    if (jquery && assumptions.is("foreign-ready-throw", "vanish") && callsReadyAtOnce(jquery)) {
      jquery(work);
    } else {
      own.run(work);
    }
  };
  const fromTimer: Run = (work) => {
    if (assumptions.is("before-ready", "now") && !own.ready()) {
      work();
    } else {
      whenReady(work);
    }
  };
  return {
    fromTimer,
    fired: (work) => {
      const putOff = assumptions.is("after-ready", "timer") && own.ready();
      fromTimer(putOff ? () => void setTimeout(work, 0) : work);
    },
  };
}

/** Ready without jQuery. What is added while the waiting work runs comes after it, as in jQuery. */
function makeOwnQueue(): { run: Run; ready: () => boolean } {
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
