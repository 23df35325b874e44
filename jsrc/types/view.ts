/**
 * What `view({ ... })` takes, in the words that a template's declaration uses (`.awning/types/widgets`, generated).
 */
import type { Currency } from "./assumed.ts";

/** What can be printed. Null and what is not given are printed as nothing. */
export type Printable = string | number | boolean | null | undefined;

/** What is formatted as a number or as money: fields of a payload that nobody promises may be missing. */
export type Amount = number | string | null | undefined;

/** What is formatted as a date. */
export type Moment = Date | number | string | null | undefined;

/** How prices are displayed: the event's display format, or an ISO 4217 code. */
export type Display = Currency | string;

/** What is not true in a template; so are an empty list and an empty mapping. */
export type Falsy = false | 0 | "" | null | undefined;

/** A mapping: a loop over it is one over its keys. */
export interface Keys {
  readonly [key: string]: unknown;
}

/** What a loop goes over. */
export type Listed<Item> = readonly Item[] | undefined;

type Plain = string | number | boolean | bigint | symbol | null | undefined | ((...given: never[]) => unknown);

/** T as it is when every optional field is there: a template prints nothing for one that is missing. */
type Whole<T> = T extends Plain ? T : { [Key in keyof T]-?: Whole<T[Key]> };

/** The template's variables; the type of one that fits is the one that is given. */
type Variables<Given, Context> = {
  [Name in keyof Context]: Name extends keyof Given
    ? Whole<Given[Name]> extends Context[Name]
      ? Given[Name]
      : Context[Name]
    : Context[Name];
};

/**
 * `Given`, held to what the template reads. Never the first branch: it is there for TypeScript to infer `Given` from.
 */
export type View<Given, Context> = Given extends never ? Given : Variables<Given, Context>;
