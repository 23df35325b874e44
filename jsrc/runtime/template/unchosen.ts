import { define } from "./mapping";
import { Thing, fail, isPlain } from "./thing";

const without = (): never => fail("the inline if has no value");

class Unchosen extends Thing {
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
    return other instanceof Unchosen;
  }
}

/**
 * What an inline `if` without `else` leaves out where something may be asked of it but its text or its truth: undefined,
 * but an error where an attribute or an item is taken of it. Templates read attributes as properties, of any name but
 * those with our `$`.
 */
export const unchosen = (): Thing =>
  new Proxy(new Unchosen(), {
    get: (value, name) =>
      typeof name === "string" && name[0] !== "$" ? without() : (value as unknown as Record<PropertyKey, unknown>)[name],
  });

/** For those who know one undefined only. */
export const plainly = (value: unknown): unknown => (value instanceof Unchosen ? undefined : value);

/** Whether an object is nothing but its keys, which those of a script (elements, dates) are not. */
const isLiteral = (value: unknown): value is object =>
  isPlain(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);

/** Arguments for a script, which knows one undefined: a copy of what holds another. */
export function handed<Value>(value: Value, around: readonly unknown[] = []): Value {
  if (value instanceof Unchosen) return undefined as Value;
  if (around.includes(value) || !(Array.isArray(value) || isLiteral(value))) return value;
  const pairs = Object.entries(value).map(([key, one]) => [key, one, handed(one, [...around, value])] as const);
  if (pairs.every(([, one, other]) => one === other)) return value;
  const copy: object = Array.isArray(value) ? value.slice() : {};
  for (const [key, , one] of pairs) define(copy, key, one);
  return copy as Value;
}
