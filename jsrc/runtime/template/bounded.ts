/** Limits the depth of recursion: throws an error with the cause long before the browser's stack overflows. */

const DEEPEST = 500;
let open = 0;

const refuse = (what: string): never => {
  throw new Error(`${what} calls itself without end: it is ${DEEPEST} deep in itself`);
};

/** Wrap the function of a macro, block or template that may run inside itself. */
export const bounded =
  <Arguments extends unknown[]>(what: string, render: (...args: Arguments) => string): ((...args: Arguments) => string) =>
  (...args) => {
    if (open >= DEEPEST) refuse(what);
    open++;
    try {
      return render(...args);
    } finally {
      open--;
    }
  };

/** Check the depth of a recursive loop. */
export const within = (depth: number): void => {
  if (depth >= DEEPEST) refuse("a recursive loop");
};
