/**
 * The short timers of a trial's page, and the delays of responses. Nobody waits for them: as soon as nothing else is
 * under way, `runNext` runs the one that is due next. So a trial takes the time of its work, and the order is that of the
 * delays. `Date` and `performance.now()` keep real time.
 *
 * In real time runs a timer that is due while something else is under way, such as the load of the page, and one that
 * polls: the sixth and later of a chain in which each timer sets the next, also after a promise.
 */

/** The longest chain of timers that is not waited for. The browser, too, delays the timers of longer chains. */
const LONGEST_CHAIN = 5;

interface Timer {
  due: number;
  /** The number of the timer in its chain, from 1. */
  place: number;
  /** The period of an interval. Nothing waits for an interval, but it runs before what is due later. */
  period?: number;
  run: () => void;
}

export class Timers {
  readonly #timers = new Map<object, Timer>();
  readonly #isReal: boolean;
  /** The milliseconds by which the time of these timers is ahead of real time. */
  #ahead = 0;
  /** The place of the timer that has run last, in its chain; 0 before the first one. */
  #place = 0;

  /** With `isReal`, every timer runs in real time. */
  constructor(isReal: boolean) {
    this.#isReal = isReal;
  }

  /** Whether a timer waits that need not be waited for. */
  get hasNext(): boolean {
    return !this.#isReal && this.#next(Infinity, LONGEST_CHAIN) !== undefined;
  }

  /** The number of timers that wait, without intervals. */
  get size(): number {
    let size = 0;
    for (const { period } of this.#timers.values()) if (period === undefined) size++;
    return size;
  }

  get hasInterval(): boolean {
    return [...this.#timers.values()].some(({ period }) => period !== undefined);
  }

  /** The time of these timers, in milliseconds. */
  now(): number {
    return performance.now() + this.#ahead;
  }

  /** What is set from now on is not of the chain of the timers that have run. */
  endChain(): void {
    this.#place = 0;
  }

  /** Add a timer, or an interval with its period, and return its key. */
  add(delay: number, run: () => void, period?: number): object {
    const key = {};
    const timer = { due: this.now() + delay, place: period === undefined ? this.#place + 1 : 1, run };
    this.#timers.set(key, period === undefined ? timer : { ...timer, period });
    return key;
  }

  delete(key: object): void {
    this.#timers.delete(key);
  }

  /** Run a timer that is due in real time, and before it those that are due earlier, each in a task of its own. */
  runUntil(key: object): void {
    const due = this.#timers.get(key)?.due;
    if (due === undefined) return;
    const next = this.#earliest(due);
    this.#run(next);
    if (next !== key) setTimeout(() => this.runUntil(key), 0);
  }

  /** Run the timer that is due next, of those that need not be waited for, or an interval that is due before it. */
  runNext(): void {
    const next = this.#next(Infinity, LONGEST_CHAIN);
    if (next) this.#run(this.#earliest(this.#timers.get(next)?.due ?? 0));
  }

  /** The timer that is due first, without intervals. */
  #next(until: number, place: number): object | undefined {
    return this.#first(({ due, period, place: own }) => period === undefined && due <= until && own <= place);
  }

  #earliest(until: number): object | undefined {
    return this.#first(({ due }) => due <= until);
  }

  #first(isMeant: (timer: Timer) => boolean): object | undefined {
    let first: [object, Timer] | undefined;
    for (const entry of this.#timers) if (isMeant(entry[1]) && entry[1].due < (first?.[1].due ?? Infinity)) first = entry;
    return first?.[0];
  }

  #run(key: object | undefined): void {
    const timer = key && this.#timers.get(key);
    if (!key || !timer) return;
    this.#ahead = Math.max(this.#ahead, timer.due - performance.now());
    if (timer.period === undefined) {
      this.#timers.delete(key);
      this.#place = timer.place;
    } else {
      timer.due += timer.period;
    }
    timer.run();
  }
}
