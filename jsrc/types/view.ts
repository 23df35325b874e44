/**
 * The types of a template's variables, which the generated declarations use (`.awning/types/widgets`).
 */
import type { Currency } from "./assumed.ts";

/** A value that can be printed. Null and undefined are printed as nothing. */
export type Printable = string | number | boolean | null | undefined;

declare const unknownValue: unique symbol;

/** Represents a value of the type `unknown`, which may be anything. */
interface Unknown {
  readonly [unknownValue]: true;
}

/** What neither a promise nor a function has: those have a function `then`, and `Symbol.hasInstance`. */
interface Settled {
  readonly then?: Value;
  readonly [Symbol.hasInstance]?: never;
}

/** A value that a template tests, compares or calculates with. It is no promise and no function. */
export type Value = Printable | (object & Settled) | Unknown;

/** A value that is formatted as a number or as money. It may be undefined: a payload may lack the field. */
export type Amount = number | string | null | undefined;

/** A value that is formatted as a date. */
export type Moment = Date | number | string | null | undefined;

/** The format of prices: the event's display format, or an ISO 4217 code. */
export type Display = Currency | string;

/** Values that are false in a template. An empty list and an empty mapping are false too, but this type excludes them. */
export type Falsy = false | 0 | "" | null | undefined;

/** A mapping. A loop over it goes over its keys. */
export interface Keys extends Settled {
  readonly [key: string]: unknown;
}

/** The value that a loop goes over. */
export type Listed<Item> = readonly Item[] | undefined;

type Plain = string | number | boolean | bigint | symbol | null | undefined | Called;

type Called = ((...given: never[]) => unknown) | (abstract new (...given: never[]) => unknown);

/** `T` with all optional fields required, because a template prints nothing for a missing field. */
type Whole<T> = unknown extends T ? Unknown : T extends Plain ? T : { [Key in keyof T]-?: Whole<T[Key]> };

/** The types of the template's variables. An argument that fits a variable keeps its own type. */
type Variables<Given, Context> = {
  [Name in keyof Context]: Name extends keyof Given
    ? Whole<Given[Name]> extends Context[Name]
      ? Given[Name]
      : Context[Name]
    : Context[Name];
};

/**
 * `Given`, checked against the variables that the template reads. The condition is never true; it only makes TypeScript
 * infer `Given`.
 */
export type View<Given, Context> = Given extends never ? Given : Variables<Given, Context>;
