/**
 * The base class of values that JSON does not have, such as Markup, ranges, mappings with any keys, generators, loops
 * and macros. A tuple is no `Thing`, but a list.
 *
 * The helpers use a value through these methods, so a bundle contains only the classes that its templates need. Names
 * that begin with `$` are internal, and templates cannot use them. Other names are attributes for templates.
 */
export class Thing {}
export interface Thing {
  /**
   * The HTML to print. Only Markup and a missing branch have it; that of a missing branch is "". Code for Markup alone
   * must check `$undefined`, too.
   */
  $?: string;
  /** Whether this is a missing branch of an `if` expression. */
  $undefined?: boolean;
  /**
   * Return Python's `repr` of this value. The function `repr` is an argument, so that a bundle with this class need not
   * contain it.
   */
  $repr?(repr: (value: unknown) => string): string;
  $truth?(): boolean;
  $length?(): number;
  $items?(): unknown[];
  $item?(key: unknown): unknown;
  $equals?(other: unknown): boolean;
  $call?(args: unknown[], keywords: Record<string, unknown>): unknown;
}

/** Python's tuple: a list that is printed in parentheses. */
export class Tuple extends Array<unknown> {}

export const tuple = (...items: unknown[]): Tuple => Tuple.from(items) as Tuple;

/** Whether a value is a mapping of JSON: an object that is neither a list nor a `Thing`. */
export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Thing);

export function fail(message: string): never {
  throw new TypeError(message);
}

/** Whether a number is an integer in templates: a whole number below 1e16. */
export const isInteger = (value: unknown): value is number => Number.isInteger(value) && Math.abs(value as number) < 1e16;

/** Return the value as an integer; True is 1. Throws for any other value. */
export const integer = (value: unknown): number =>
  typeof value === "boolean" || isInteger(value) ? Number(value) : fail("an integer is needed");

/** Whether a value is undefined in Jinja2's sense: a missing name or a missing branch. */
export const isUndefined = (value: unknown): boolean => value === undefined || (value instanceof Thing && !!value.$undefined);
