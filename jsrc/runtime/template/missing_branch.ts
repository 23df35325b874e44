import { define } from "./mapping";
import { Thing, fail, isPlain } from "./thing";

const without = (): never => fail("the inline if has no value");

class MissingBranch extends Thing {
  override $ = "";
  override $undefined = true;
  override $repr(): string {
    return "Undefined";
  }
  override $truth(): boolean {
    return false;
  }
  override $length(): number {
    return 0;
  }
  override $items(): unknown[] {
    return [];
  }
  override $item(): never {
    return without();
  }
  override $call(): never {
    return without();
  }
  override $equals(other: unknown): boolean {
    return other instanceof MissingBranch;
  }
}

/**
 * Make the value of an `if` expression without `else` when its condition is false. It behaves like undefined, but
 * calling it, or reading an attribute or item of it, throws. It is needed only where a template uses more than the
 * value's text or truth.
 *
 * Templates read attributes as properties, so the proxy throws for every name that does not begin with `$`.
 */
export const missing_branch = (): Thing =>
  new Proxy(new MissingBranch(), {
    get: (value, name) =>
      typeof name === "string" && name[0] !== "$" ? without() : (value as unknown as Record<PropertyKey, unknown>)[name],
  });

/** Replace a missing branch by JavaScript's undefined. */
export const as_undefined = (value: unknown): unknown => (value instanceof MissingBranch ? undefined : value);

/** Whether an object is a plain literal, and not an element or a date of a script. */
const isLiteral = (value: unknown): value is object =>
  isPlain(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);

/** Convert arguments for a script: missing branches in them become undefined, in copies of lists and literals. */
export function for_script<Value>(value: Value, around: readonly unknown[] = []): Value {
  if (value instanceof MissingBranch) return undefined as Value;
  if (around.includes(value) || !(Array.isArray(value) || isLiteral(value))) return value;
  const pairs = Object.entries(value).map(([key, inner]) => [key, inner, for_script(inner, [...around, value])] as const);
  if (pairs.every(([, inner, replaced]) => inner === replaced)) return value;
  const copy: object = Array.isArray(value) ? value.slice() : {};
  for (const [key, , replaced] of pairs) define(copy, key, replaced);
  return copy as Value;
}
