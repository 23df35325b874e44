import { Thing } from "./thing";

/** A Python generator: it is lazy, can be iterated once, is always true and has no length. */
export class Generator_ extends Thing {
  declare $iterator: Iterator<unknown>;
  constructor(make: () => Iterator<unknown>) {
    super();
    this.$iterator = make();
  }
  $items(): unknown[] {
    const out: unknown[] = [];
    for (let next = this.$iterator.next(); !next.done; next = this.$iterator.next()) out.push(next.value);
    return out;
  }
}

export const generator = (make: () => Iterator<unknown>): Generator_ => new Generator_(make);
