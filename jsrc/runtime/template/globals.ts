/** Implements Jinja2's default globals, except `dict` (`mapping.ts`) and `lipsum`, which the compiler refuses. */

import { indices } from "./access";
import { dict_of, entries } from "./mapping";
import { Thing, integer } from "./thing";

const LONGEST = 1e6;

export class Range extends Thing {
  declare start: number;
  declare stop: number;
  declare step: number;
  constructor(start: number, stop: number, step: number) {
    super();
    if (!step) throw new RangeError("range step must not be zero");
    this.start = start;
    this.stop = stop;
    this.step = step;
  }
  $truth(): boolean {
    return this.$length() > 0;
  }
  $length(): number {
    return Math.max(0, Math.ceil((this.stop - this.start) / this.step));
  }
  $items(): unknown[] {
    const length = this.$length();
    if (length > LONGEST) throw new RangeError("the range is too long");
    return Array.from({ length }, (_, at) => this.start + at * this.step);
  }
  $item(key: unknown): unknown {
    if (Array.isArray(key)) {
      const positions = indices(this.$length(), key[0], key[1], key[2]);
      const by = this.step * (key[2] ?? 1);
      const from = this.start + (positions[0] ?? 0) * this.step;
      return new Range(from, from + positions.length * by, by);
    }
    const length = this.$length();
    const at = typeof key === "boolean" ? Number(key) : key;
    if (typeof at !== "number" || !Number.isInteger(at) || at >= length || at < -length) return undefined;
    return this.start + (at < 0 ? at + length : at) * this.step;
  }
  $equals(other: unknown): boolean {
    return other instanceof Range && String(this.$items()) === String(other.$items());
  }
}

export function range(...args: unknown[]): Range {
  if (!args.length || args.length > 3) throw new TypeError("range takes one to three integers");
  const [a, b, c] = args.map(integer) as [number, number?, number?];
  return b === undefined ? new Range(0, a, 1) : new Range(a, b, c ?? 1);
}

class Cycler extends Thing {
  declare current: unknown;
  declare $values: unknown[];
  declare $at: number;
  constructor(values: unknown[]) {
    super();
    this.$values = values;
    this.$at = 0;
    this.current = values[0];
  }
  $next(): unknown {
    const out = this.current;
    this.$at = (this.$at + 1) % this.$values.length;
    this.current = this.$values[this.$at];
    return out;
  }
  $reset(): unknown {
    this.$at = 0;
    this.current = this.$values[0];
    return null;
  }
}

export function cycler(...values: unknown[]): Cycler {
  if (!values.length) throw new TypeError("at least one item has to be provided");
  return new Cycler(values);
}

const cyclerOf = (value: unknown): Cycler => {
  if (value instanceof Cycler) return value;
  throw new TypeError("it is not a cycler");
};
export const method_next = (value: unknown): unknown => cyclerOf(value).$next();
export const method_reset = (value: unknown): unknown => cyclerOf(value).$reset();

class Joiner extends Thing {
  declare $separator: unknown;
  declare $used: boolean;
  constructor(separator: unknown) {
    super();
    this.$separator = separator;
    this.$used = false;
  }
  $call(): unknown {
    if (this.$used) return this.$separator;
    this.$used = true;
    return "";
  }
}

export const joiner = (separator: unknown): Joiner => new Joiner(separator);

class Namespace extends Thing {}

export function namespace_of(args: unknown[], keywords: Record<string, unknown>): Namespace {
  const out = new Namespace();
  for (const [key, value] of entries(dict_of(args, keywords)) ?? []) {
    if (typeof key !== "string" || key[0] === "$") throw new TypeError("a namespace takes only strings"); // `$` is reserved
    Object.defineProperty(out, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return out;
}

export function set_attribute(owner: unknown, name: string, value: unknown): void {
  if (!(owner instanceof Namespace)) throw new TypeError("cannot assign attribute on non-namespace object");
  Object.defineProperty(owner, name, { value, writable: true, enumerable: true, configurable: true });
}

/**
 * Return `value`: the value of a variable whose name is also that of a global function. Throws if the variable is
 * undefined, because the name then means the function, which cannot be a value.
 */
export function shadowed(value: unknown, name: string): unknown {
  if (value === undefined) throw new TypeError(`${name} is a function: it cannot be a value`);
  return value;
}
