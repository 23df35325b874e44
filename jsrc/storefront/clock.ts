/**
 * The stopped clock of a page with the option `now`, loaded before all other scripts. `Date` stands still until a step
 * such as `wait 10 minutes` moves it on and runs the timers that are due in that time.
 *
 * Until the first wait, timers run in real time, as on every page. From then on, only those of up to LONGEST_REAL_MS
 * do, such as the timers of updates and of a search field. A longer one runs in a wait only: the page stays as it is.
 */

const LONGEST_REAL_MS = 400;
/** The longest delay of a browser's timer, some 25 days. A timer that must not run in real time has it. */
const NEVER_MS = 2 ** 31 - 1;
/** The most milliseconds to wait for an animation frame. The browser may not draw the page at all. */
const LONGEST_FRAME_MS = 200;

interface Timer {
  delay: number;
  /** When the timer is due, in the milliseconds of `Date.now()`. */
  due: number;
  run: () => void;
}

type SetTimer = (handler: TimerHandler, delay?: number, ...values: unknown[]) => number;
type ClearTimer = (id?: number) => void;

const { setTimeout, setInterval, clearTimeout, clearInterval, requestAnimationFrame, Date: RealDate } = globalThis;

/** The timers by id. Of two that are due at the same time, the first one runs first. */
const timers = new Map<number, Timer>();
let now = 0;
let hasWaited = false;

/** Stop the clock at an ISO 8601 time. Other uses of Date do not change. */
export function stop(text: string): void {
  now = new RealDate(text).getTime();
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, values: unknown[], made) => Reflect.construct(target, values.length ? values : [now], made) as Date,
    apply: (target) => String(new target(now)),
    get: (target, key) => (key === "now" ? () => now : (Reflect.get(target, key) as unknown)),
  });
  Object.assign(globalThis, {
    setTimeout: recorded(setTimeout, false),
    setInterval: recorded(setInterval, true),
    clearTimeout: forgetting(clearTimeout),
    clearInterval: forgetting(clearInterval),
  });
}

/** Return `set` with a record of each timer. A timer whose handler is a text is not recorded. */
function recorded(set: SetTimer, repeats: boolean): SetTimer {
  return (handler, wanted, ...values) => {
    if (typeof handler !== "function") return set(handler, wanted, ...values);
    const delay = Math.max(1, Math.trunc(Number(wanted)) || 0);
    const run = (): void => {
      timers.delete(id);
      if (repeats) timers.set(id, { delay, due: now + delay, run });
      else clearTimeout(id);
      Reflect.apply(handler, globalThis, values);
    };
    const id = set(run, hasWaited && delay > LONGEST_REAL_MS ? NEVER_MS : wanted);
    timers.set(id, { delay, due: now + delay, run });
    return id;
  };
}

function forgetting(clear: ClearTimer): ClearTimer {
  return (id) => {
    timers.delete(Number(id));
    clear(id);
  };
}

/**
 * Move the clock on by `ms`. Each timer that is due runs at its time, in order, and promises settle before the next one.
 * Then an animation frame sees the new time. Returns whether this took at most `within` milliseconds; if not, the clock
 * stands at the last timer that ran.
 */
export async function wait(ms: number, within: number): Promise<boolean> {
  leaveRealTime();
  const end = now + ms;
  const limit = performance.now() + within;
  const { port1, port2 } = new MessageChannel();
  for (;;) {
    // Each timer has a task of its own, as in the browser. `setTimeout` would begin it four milliseconds later.
    await new Promise((done) => {
      port1.onmessage = done;
      port2.postMessage(null);
    });
    const timer = nextUntil(end);
    if (!timer) break;
    if (performance.now() > limit) return false;
    now = timer.due;
    try {
      timer.run();
    } catch (error) {
      reportError(error);
    }
  }
  now = end;
  await new Promise((done) => {
    requestAnimationFrame(done);
    setTimeout(done, LONGEST_FRAME_MS);
  });
  return true;
}

function leaveRealTime(): void {
  hasWaited = true;
  for (const [id, { delay }] of timers) if (delay > LONGEST_REAL_MS) clearTimeout(id);
}

function nextUntil(end: number): Timer | undefined {
  let next: Timer | undefined;
  for (const timer of timers.values()) if (timer.due <= end && timer.due < (next?.due ?? Infinity)) next = timer;
  return next;
}

// A symbol, because a name would be a global that only pages with a stopped clock have.
Object.defineProperty(globalThis, Symbol.for("awning.clock"), { value: Object.freeze({ stop, wait }) });
