// A virtual clock: timers run one after another, when the parent asks for the next one.
const tasks = [];
let now = 0;
let serial = 0;
export const state = { at: 0 };

export function later(work, delay = 0) {
  serial += 1;
  tasks.push({ id: serial, due: now + Math.max(1, Number(delay) || 0), order: serial, work, at: state.at });
  return serial;
}
export const cancel = (id) => {
  const at = tasks.findIndex((task) => task.id === id);
  if (at >= 0) tasks.splice(at, 1);
};
export const forget = () => { tasks.length = 0; };
export const time = () => now;
export const again = (task, delay) => {
  serial += 1;
  tasks.push({ ...task, due: now + Math.max(1, Number(delay) || 0), order: serial });
};
/** Run the task that is due next, but none later than `limit`. Returns whether there was one. */
export function next(limit, attempt) {
  tasks.sort((a, b) => a.due - b.due || a.order - b.order);
  if (!tasks.length || tasks[0].due > limit) return false;
  const task = tasks.shift();
  now = Math.max(now, task.due);
  state.at = task.at;
  attempt(() => task.work(task));
  return true;
}
