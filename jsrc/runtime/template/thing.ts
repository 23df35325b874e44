/**
 * What JSON has no kind for: Markup, ranges, mappings with other keys, generators, loops, macros.
 *
 * The helpers ask a value for what they need through these methods, so that a template links only the classes it can
 * meet. Fields begin with `$`, which no template can name; the others are attributes that templates may read.
 */
export abstract class Thing {
  /** As Python's `repr`. */
  abstract $repr(): string;
  /** As Python's `str`. */
  $str(): string {
    return this.$repr();
  }
  $truth(): boolean {
    return true;
  }
  $length(): number {
    throw new TypeError("it has no length");
  }
  $items(): unknown[] {
    throw new TypeError("it is not iterable");
  }
  $item(_key: unknown): unknown {
    return undefined;
  }
  $call(_args: unknown[], _keywords: Record<string, unknown>): unknown {
    throw new TypeError("it is not callable");
  }
}

/** Python's tuple: a list that prints in parentheses. */
export class Tuple extends Array<unknown> {}

export const tuple = (...items: unknown[]): Tuple => Tuple.from(items) as Tuple;

/** A mapping of JSON: an object that is neither a list nor one of ours. */
export const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Thing);
