/**
 * The base class of values that JSON does not have, such as Markup, ranges, mappings with any keys, generators, loops
 * and macros. A tuple is no `Thing`, but a list.
 *
 * The helpers use a value through these methods, so a bundle contains only the classes that its templates need. Names
 * that begin with `$` are internal, and templates cannot use them. Other names are attributes for templates.
 */
export class Thing {}
export interface Thing {
  /** The HTML to print. Only Markup has it. */
  $?: string;
  /** Return the text that the HTML stands for. Only Markup has it. */
  $text?(): string;
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

/** Return the HTML of Markup; undefined for any other value. */
export const htmlOf = (value: unknown): string | undefined => (value instanceof Thing ? value.$ : undefined);

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
