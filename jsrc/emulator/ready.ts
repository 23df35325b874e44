/**
 * When a delivery runs. Observed: deferred to document-ready through jQuery, so before ready it waits, after ready it
 * runs inside the call, and one that is fired while another runs comes after it; and one foreign ready handler that
 * throws leaves jQuery 2.2.4's list of handlers stuck, so that nothing runs any more. With jQuery on the page that is
 * not imitated but simply happens.
 */
import { callsReadyAtOnce, type Assumptions } from "./assumptions.ts";
import { page$ } from "./jquery.ts";

type Run = (work: () => void) => void;

export interface Schedule {
  /** Run what the page fires. */
  fired: Run;
  /** Run what a timer has put off already: no switch puts it off again. */
  fromTimer: Run;
}

export function makeSchedule(assumptions: Assumptions): Schedule {
  const runOwn = makeOwnQueue();
  const whenReady: Run = (work) => {
    if (callsReadyAtOnce(assumptions.jquery) && assumptions.is("foreign-ready-throw", "vanish")) {
      page$()(work);
    } else {
      runOwn(work);
    }
  };
  const fromTimer: Run = (work) => {
    if (assumptions.is("before-ready", "now") && !isReady()) {
      work();
    } else {
      whenReady(work);
    }
  };
  return {
    fromTimer,
    fired: (work) => {
      const putOff = assumptions.is("after-ready", "timer") && isReady();
      fromTimer(putOff ? () => void setTimeout(work, 0) : work);
    },
  };
}

function isReady(): boolean {
  return document.readyState !== "loading";
}

/** Ready without jQuery. What is added while other work runs comes after it, as in jQuery. */
function makeOwnQueue(): Run {
  const waiting: Array<() => void> = [];
  let ready = isReady();
  let running = false;
  const drain = () => {
    running = true;
    for (let work = waiting.shift(); work; work = waiting.shift()) {
      survive(work);
    }
    running = false;
  };
  if (!ready) {
    document.addEventListener(
      "DOMContentLoaded",
      () => {
        ready = true;
        drain();
      },
      { once: true },
    );
  }
  return (work) => {
    if (!ready || running) {
      waiting.push(work);
      return;
    }
    running = true;
    try {
      work();
    } finally {
      drain();
    }
  };
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
