import { Thing, fail, isPlain, tuple } from "./thing";
import { entries } from "./mapping";
import { markup } from "./markup";

/** Marks a missing argument. Its parameter gets the default value. */
export const missing: unknown = {};

type Body = (...args: unknown[]) => string;

/** A macro as a value. A direct call of a macro needs only its function. */
export class Macro extends Thing {
  declare name: string | null;
  declare arguments: unknown[];
  declare catch_varargs: boolean;
  declare catch_kwargs: boolean;
  declare caller: boolean;
  declare $body: Body;
  declare $required: number;
  constructor(body: Body, name: string | null, names: string[], defaults: number, varargs: boolean, kwargs: boolean, caller: boolean) {
    super();
    this.$body = body;
    this.$required = names.length - defaults;
    this.name = name;
    this.arguments = tuple(...names);
    this.catch_varargs = varargs;
    this.catch_kwargs = kwargs;
    this.caller = caller;
  }
  $call(args: unknown[], keywords: Record<string, unknown>): unknown {
    const rest = { ...keywords };
    const take = (name: string, otherwise: unknown): unknown => {
      if (!Object.prototype.hasOwnProperty.call(rest, name)) return otherwise;
      const value = rest[name];
      delete rest[name];
      return value;
    };
    const names = this.arguments as string[];
    const values = Array.from(names, (name, at) =>
      at < args.length ? args[at] : take(name, at < this.$required ? undefined : missing),
    );
    const caller = this.caller ? [take("caller", undefined)] : [];
    const surplus = args.slice(names.length);
    if ((surplus.length && !this.catch_varargs) || (Object.keys(rest).length && !this.catch_kwargs)) {
      throw new TypeError(`macro ${this.name} takes no argument ${Object.keys(rest)[0] ?? names.length + 1}`);
    }
    const varargs = this.catch_varargs ? [tuple(...surplus)] : [];
    const kwargs = this.catch_kwargs ? [rest] : [];
    return markup(this.$body(...values, ...varargs, ...kwargs, ...caller));
  }
}

export const macro = (
  body: Body,
  name: string | null,
  names: string[],
  defaults: number,
  varargs: boolean,
  kwargs: boolean,
  caller: boolean,
): Macro => new Macro(body, name, names, defaults, varargs, kwargs, caller);

/** Call a value. A function of the script gets the keyword arguments as one object, after the other arguments. */
export function call(callee: unknown, args: unknown[], keywords?: Record<string, unknown>): unknown {
  if (callee instanceof Thing && callee.$call) return callee.$call(args, keywords ?? {});
  if (typeof callee !== "function") return fail("it is not callable");
  return callee(...args, ...(keywords ? [keywords] : []));
}

/** Return the keyword arguments of `**mapping` in a call. `named` are the names of the other keyword arguments. */
export function keywords(value: unknown, ...named: string[]): Record<string, unknown> {
  if (named.some((name) => entries(value)?.some(([key]) => key === name))) throw new TypeError("an argument is given twice");
  if (isPlain(value)) return value;
  const pairs = entries(value);
  if (!pairs || pairs.some(([key]) => typeof key !== "string")) throw new TypeError("** needs a mapping with string keys");
  return Object.fromEntries(pairs) as Record<string, unknown>;
}
