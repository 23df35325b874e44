import { eq } from "./compare";
import { markup } from "./markup";
import { Thing } from "./thing";

type Recurse = (items: unknown, depth: number) => string;

/** The `loop` of a loop that uses more of it than a counter. */
export class Loop extends Thing {
  index0 = -1;
  index = 0;
  first = true;
  last = false;
  length: number;
  revindex = 0;
  revindex0 = 0;
  previtem: unknown = undefined;
  nextitem: unknown = undefined;
  depth: number;
  depth0: number;
  $list: unknown[];
  $recurse: Recurse | undefined;
  $last: unknown = undefined;
  constructor(items: unknown[], depth0: number, recurse?: Recurse) {
    super();
    this.$list = items;
    this.length = items.length;
    this.depth0 = depth0;
    this.depth = depth0 + 1;
    this.$recurse = recurse;
  }
  $repr(): string {
    return `<LoopContext ${this.index}/${this.length}>`;
  }
  override $length(): number {
    return this.length;
  }
  override $call(args: unknown[]): unknown {
    if (!this.$recurse) throw new TypeError("the loop is not recursive");
    return markup(this.$recurse(args[0], this.depth));
  }
}

export const loop_of = (items: unknown[], depth0: number, recurse?: Recurse): Loop => new Loop(items, depth0, recurse);

/** Move on to the next item. */
export function step(loop: Loop): void {
  const at = ++loop.index0;
  loop.index = at + 1;
  loop.first = !at;
  loop.last = at === loop.length - 1;
  loop.revindex = loop.length - at;
  loop.revindex0 = loop.revindex - 1;
  loop.previtem = loop.$list[at - 1];
  loop.nextitem = loop.$list[at + 1];
}

export function changed(loop: Loop, values: unknown): boolean {
  if (loop.$last !== undefined && eq(loop.$last, values)) return false;
  loop.$last = values;
  return true;
}

export function cycle(index: number, values: unknown[]): unknown {
  if (!values.length) throw new TypeError("no items for cycling given");
  return values[index % values.length];
}
