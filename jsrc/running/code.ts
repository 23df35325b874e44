/** Code in texts: `eval`, `Function` and timers that get text break `no-eval`. */
import { again, cancel, later, time, type Task } from "./clock.ts";
import { define, window, type Method } from "./dom.ts";
import { report } from "./reports.ts";

/** The most rounds of an interval. */
const ROUNDS = 12;
const FRAME = 16;

/** `isInserted` is whether jQuery is about to run a script of inserted HTML. */
export const expected = { isInserted: false };
const realEval = eval;
const RealFunction = Function;

const reportText = (): void => report("no-eval", "text is run as code");

const timer =
  (repeats: boolean) =>
  (callback: unknown, delay: unknown, ...values: unknown[]): number => {
    if (typeof callback !== "function") {
      report("no-eval", "a timer that is given text runs it as code");
      return 0;
    }
    let rounds = 0;
    return later((task: Task) => {
      rounds += 1;
      if (repeats && rounds < ROUNDS) {
        again(task, delay);
      }
      (callback as Method)(...values);
    }, delay);
  };

const ReportedFunction = new Proxy(RealFunction, {
  apply(target, self, values) {
    reportText();
    return Reflect.apply(target, self, values) as unknown;
  },
  construct(target, values) {
    reportText();
    return Reflect.construct(target, values) as object;
  },
});
RealFunction.prototype.constructor = ReportedFunction;

const members: Record<string, unknown> = {
  setTimeout: timer(false),
  setInterval: timer(true),
  clearTimeout: cancel,
  clearInterval: cancel,
  requestAnimationFrame: (callback: (now: number) => void) => later(() => callback(time()), FRAME),
  cancelAnimationFrame: cancel,
  requestIdleCallback: (callback: (deadline: object) => void) =>
    later(() => callback({ didTimeout: false, timeRemaining: () => 0 }), 1),
  cancelIdleCallback: cancel,
  Function: ReportedFunction,
  eval(code: string): unknown {
    if (!expected.isInserted) {
      reportText();
    }
    expected.isInserted = false;
    return realEval(code);
  },
};
for (const [name, value] of Object.entries(members)) {
  define(window, name, value);
}
