import { Thing, fail } from "./thing";

const without = (): never => fail("the inline if has no value");

class Unchosen extends Thing {
  override $ = "";
  override $absent = true;
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
 * but an error where an attribute or an item is taken of it. Templates read attributes as properties, whatever the name.
 */
export const unchosen = (): Thing =>
  new Proxy(new Unchosen(), {
    get: (value, name) =>
      typeof name === "string" && name[0] !== "$" ? without() : (value as unknown as Record<PropertyKey, unknown>)[name],
  });
