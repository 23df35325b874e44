/**
 * The short timers of a trial's page, and the delays of responses. Nobody waits for them: as soon as nothing else is
 * under way, `runNext` runs the one that is due next. So a trial takes the time of its work, and the order is that of the
 * delays. `Date` and `performance.now()` keep real time.
 *
 * In real time runs a timer that is due while something else is under way, such as the load of the page, and one that
 * polls: the sixth and later of a chain in which each timer sets the next.
 */

/** The longest chain of timers that is not waited for. The browser, too, delays the timers of longer chains. */
const LONGEST_CHAIN = 5;

interface Timer {
  due: number;
  /** The number of the timer in its chain, from 1. */
  place: number;
  run: () => void;
}

export class Timers {
  readonly #timers = new Map<object, Timer>();
  readonly #isReal: boolean;
  /** The milliseconds by which the time of these timers is ahead of real time. */
  #ahead = 0;
  /** The place of the timer that runs, in its chain; 0 while none does. */
  #place = 0;

  /** With `isReal`, every timer runs in real time. */
  constructor(isReal: boolean) {
    this.#isReal = isReal;
  }

  /** Whether a timer waits that need not be waited for. */
  get hasNext(): boolean {
    return !this.#isReal && this.#next(Infinity, LONGEST_CHAIN) !== undefined;
  }

  get size(): number {
    return this.#timers.size;
  }

  /** The time of these timers, in milliseconds. */
  now(): number {
    return performance.now() + this.#ahead;
  }

  /** Add a timer, and return its key. */
  add(delay: number, run: () => void): object {
    const key = {};
    this.#timers.set(key, { due: this.now() + delay, place: this.#place + 1, run });
    return key;
  }

  delete(key: object): void {
    this.#timers.delete(key);
  }

  /** Run a timer that is due in real time, and before it those that are due earlier. */
  runUntil(key: object): void {
    const due = this.#timers.get(key)?.due;
    while (due !== undefined && this.#timers.has(key)) this.#run(this.#next(due, Infinity));
  }

  /** Run the timer that is due next, of those that need not be waited for. */
  runNext(): void {
    this.#run(this.#next(Infinity, LONGEST_CHAIN));
  }

  #next(until: number, place: number): object | undefined {
    let next: [object, Timer] | undefined;
    for (const entry of this.#timers) {
      const { due, place: own } = entry[1];
      if (due <= until && own <= place && due < (next?.[1].due ?? Infinity)) next = entry;
    }
    return next?.[0];
  }

  #run(key: object | undefined): void {
    const timer = key && this.#timers.get(key);
    if (!key || !timer) return;
    this.#timers.delete(key);
    this.#ahead = Math.max(this.#ahead, timer.due - performance.now());
    this.#place = timer.place;
    timer.run();
    this.#place = 0;
  }
}
