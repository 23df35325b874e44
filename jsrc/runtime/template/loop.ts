import { get } from "./access";
import { eq } from "./compare";
import { call } from "./macro";
import { markup } from "./markup";
import { Thing, fail, tuple } from "./thing";

type Recurse = (items: unknown, depth: number) => string;

/** The object for the variable `loop`. A loop that needs only a counter and the list has no such object. */
export class Loop extends Thing {
  declare index0: number;
  declare index: number;
  declare first: boolean;
  declare last: boolean;
  declare length: number;
  declare revindex: number;
  declare revindex0: number;
  declare previtem: unknown;
  declare nextitem: unknown;
  declare depth: number;
  declare depth0: number;
  declare $list: unknown[];
  declare $recurse: Recurse | undefined;
  declare $last: unknown;
  constructor(items: unknown[], depth0: number, recurse?: Recurse) {
    super();
    this.index0 = -1;
    this.$list = items;
    this.length = items.length;
    this.depth0 = depth0;
    this.depth = depth0 + 1;
    this.$recurse = recurse;
  }
  $length(): number {
    return this.length;
  }
  $call(args: unknown[]): unknown {
    return markup((this.$recurse ?? fail("the loop is not recursive"))(args[0], this.depth));
  }
}

export const loop_of = (items: unknown[], depth0: number, recurse?: Recurse): Loop => new Loop(items, depth0, recurse);

/** Go to the next item. */
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
  return values.length ? values[index % values.length] : fail("no items for cycling given");
}

/** The methods `cycle` and `changed`, for a loop that was assigned to a variable or is in a block's context. */
export const method_cycle = (owner: unknown, values: unknown[]): unknown =>
  owner instanceof Loop ? cycle(owner.index0, values) : call(get(owner, "cycle"), values);
export const method_changed = (owner: unknown, values: unknown[]): unknown =>
  owner instanceof Loop ? changed(owner, tuple(...values)) : call(get(owner, "changed"), values);
