/**
 * A virtual clock: timers run one after another, when the parent process asks for the next one. The date of a life begins
 * at the same time on each day.
 */

export interface Task {
  readonly id: number;
  readonly due: number;
  readonly order: number;
  /** The place of the code that set the timer. */
  readonly at: number;
  readonly work: (task: Task) => void;
}

const tasks: Task[] = [];
let now = 0;
let serial = 0;

/** `at` is the place of the running code, as a byte offset in the author's file; -1 before a script has begun. */
export const state = { at: 0 };

const dueIn = (delay: unknown): number => now + Math.max(1, Number(delay) || 0);

export function later(work: (task: Task) => void, delay: unknown = 0): number {
  serial += 1;
  tasks.push({ id: serial, due: dueIn(delay), order: serial, work, at: state.at });
  return serial;
}

export function again(task: Task, delay: unknown): void {
  serial += 1;
  tasks.push({ ...task, due: dueIn(delay), order: serial });
}

export function cancel(id: unknown): void {
  const at = tasks.findIndex((task) => task.id === id);
  if (at >= 0) {
    tasks.splice(at, 1);
  }
}

export function forget(): void {
  tasks.length = 0;
}

export const time = (): number => now;

const MachineDate = Date;

/** Let the page's date begin at `start`, in milliseconds since 1970, and go on from there: a script may wait for it. */
export function beginDate(start: number): void {
  const ahead = start - MachineDate.now();
  const present = (): number => MachineDate.now() + ahead;
  globalThis.Date = new Proxy(MachineDate, {
    apply: () => new MachineDate(present()).toString(),
    construct: (target, values, made) => Reflect.construct(target, values.length ? values : [present()], made) as Date,
    get: (target, name, receiver) => (name === "now" ? present : (Reflect.get(target, name, receiver) as unknown)),
  });
  MachineDate.prototype.constructor = globalThis.Date;
}

/** Run the task that is due next, but none later than `limit`. Returns whether there was one. */
export function next(limit: number, attempt: (work: () => void) => void): boolean {
  tasks.sort((a, b) => a.due - b.due || a.order - b.order);
  const task = tasks[0];
  if (!task || task.due > limit) {
    return false;
  }
  tasks.shift();
  now = Math.max(now, task.due);
  state.at = task.at;
  attempt(() => task.work(task));
  return true;
}
