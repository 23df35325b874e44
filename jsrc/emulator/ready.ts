/**
 * When a delivery runs. Observed: the service defers it to document-ready through jQuery. So a delivery before ready
 * waits, one after ready runs inside the call, and one that is fired during another runs after it. If a foreign ready
 * handler throws, the handler list of jQuery 2.2.4 is stuck and nothing runs any more. The emulator uses the page's
 * jQuery, so it has this behaviour too.
 */
import { callsReadyAtOnce, type Assumptions } from "./assumptions.ts";
import { page$ } from "./jquery.ts";

type Run = (work: () => void) => void;

export interface Schedule {
  /** Run work that the page fires. */
  fired: Run;
  /** Run work from a timer: it is not deferred again. */
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

/** A queue until document-ready, for pages without jQuery. Work that is added during other work runs after it. */
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

/** Run work. An exception is reported as uncaught, and the work that waits still runs. */
function survive(work: () => void): void {
  try {
    work();
  } catch (error) {
    setTimeout(() => {
      throw error;
    }, 0);
  }
}
