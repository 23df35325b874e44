/** What may call itself, and how deep it may: an error that says what happened, long before the browser's stack overflows. */

const DEEPEST = 500;
let open = 0;

const refuse = (what: string): never => {
  throw new Error(`${what} calls itself without end: it is ${DEEPEST} deep in itself`);
};

/** A macro's, a block's or a template's function that may come to run inside itself. */
export const bounded =
  <Given extends unknown[]>(what: string, render: (...given: Given) => string): ((...given: Given) => string) =>
  (...given) => {
    if (open >= DEEPEST) refuse(what);
    open++;
    try {
      return render(...given);
    } finally {
      open--;
    }
  };

/** A recursive loop knows its depth. */
export const within = (depth: number): void => {
  if (depth >= DEEPEST) refuse("a recursive loop");
};
