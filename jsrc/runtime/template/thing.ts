/**
 * What JSON has no kind for: Markup, ranges, mappings with other keys, generators, loops, macros.
 *
 * The helpers ask a value for what they need through these methods, so that a template links only the classes it can
 * meet. Names that begin with `$` are ours: no template can spell them; the others are attributes for templates.
 */
export class Thing {}
export interface Thing {
  /** What is printed of it, as HTML: of Markup; and nothing, of what is undefined. That is no text: ask for it first. */
  $?: string;
  /** Whether it is what an inline `if` left out. */
  $undefined?: boolean;
  /** As Python's `repr`, which is handed over so that a class does not link it. */
  $repr?(repr: (value: unknown) => string): string;
  $truth?(): boolean;
  $length?(): number;
  $items?(): unknown[];
  $item?(key: unknown): unknown;
  $equals?(other: unknown): boolean;
  $call?(args: unknown[], keywords: Record<string, unknown>): unknown;
}

/** Python's tuple: a list that prints in parentheses. */
export class Tuple extends Array<unknown> {}

export const tuple = (...items: unknown[]): Tuple => Tuple.from(items) as Tuple;

/** A mapping of JSON: an object that is neither a list nor one of ours. */
export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Thing);

export function fail(message: string): never {
  throw new TypeError(message);
}

/** The one number rule: a whole number below 1e16 is an integer. */
export const isInteger = (value: unknown): value is number => Number.isInteger(value) && Math.abs(value as number) < 1e16;

/** A number that must be whole; True is 1. */
export const integer = (value: unknown): number =>
  typeof value === "boolean" || isInteger(value) ? Number(value) : fail("an integer is needed");

/** Undefined in Jinja2's sense: a missing name, or what an inline `if` without `else` left out. */
export const isUndefined = (value: unknown): boolean => value === undefined || (value instanceof Thing && !!value.$undefined);
