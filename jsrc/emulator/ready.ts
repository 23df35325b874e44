/**
 * Decides when a delivery runs. Observed: the service defers deliveries to document-ready through jQuery. So a delivery
 * before ready waits, a delivery after ready runs inside the call, and a delivery that is fired during another delivery
 * runs after it. If a ready handler of another script throws, jQuery 2.2.4 calls no further handlers, so no later
 * delivery runs. With such a jQuery, and unless an assumption says otherwise, the emulator uses the page's jQuery, so
 * that it behaves in the same way.
 */
import { callsReadyAtOnce, type Assumptions } from "./assumptions.ts";
import { page$ } from "./jquery.ts";

type Run = (work: () => void) => void;

export interface Schedule {
  /** Run a function that delivers an event of the page, at once or later. */
  fired: Run;
  /** Run a function that delivers an event inside a timer. Unlike `fired`, this never sets another timer. */
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
      const deferred = assumptions.is("after-ready", "timer") && isReady();
      fromTimer(deferred ? () => void setTimeout(work, 0) : work);
    },
  };
}

function isReady(): boolean {
  return document.readyState !== "loading";
}

/**
 * Create a queue, without jQuery, of functions that run at document-ready. A function that is added while another one
 * runs, runs after it.
 */
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

/** Run a function. Its exception is reported as uncaught, and the waiting functions still run. */
function survive(work: () => void): void {
  try {
    work();
  } catch (error) {
    setTimeout(() => {
      throw error;
    }, 0);
  }
}
