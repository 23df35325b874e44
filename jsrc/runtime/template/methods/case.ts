/** Implements the methods of Python's strings that change or test the case. JavaScript has no title case. */

import { Markup, chars, isText, like } from "../markup";
import { fail } from "../thing";

type Text = string | Markup;

export const text = (value: unknown): Text => (isText(value) ? value : fail("it has no such method"));

export const mapped = (change: (text: string) => string) => (owner: unknown): Text =>
  like(text(owner), change(chars(text(owner))));

export const method_lower = /* @__PURE__ */ mapped((value) => value.toLowerCase());
export const method_upper = /* @__PURE__ */ mapped((value) => value.toUpperCase());

/** Fold the case of a character completely, so that texts that differ only in case become equal. */
const folded = (character: string): string => (character === "ı" ? character : character.toLowerCase().toUpperCase().toLowerCase());
export const method_casefold = /* @__PURE__ */ mapped((value) => Array.from(value, folded).join(""));

/** Letters with a special title case, and a letter whose upper case begins with a mark. */
const TITLES: Record<string, string> = { ǆ: "ǅ", Ǆ: "ǅ", ǅ: "ǅ", ǉ: "ǈ", Ǉ: "ǈ", ǈ: "ǈ", ǌ: "ǋ", Ǌ: "ǋ", ǋ: "ǋ", ǳ: "ǲ", Ǳ: "ǲ", ǲ: "ǲ", ŉ: "ʼN" };

function titled(character: string): string {
  const [first = "", ...rest] = Array.from(character.toUpperCase());
  return TITLES[character] ?? first + rest.join("").toLowerCase();
}

export const capitalized = (value: string): string => {
  const [first = "", ...rest] = Array.from(value);
  return titled(first) + lowered(first, rest.join(""));
};

/** Return the rest of a word in lower case. It depends on the first letter whether a sigma is the final form. */
const lowered = (first: string, rest: string): string => {
  const whole = (first + rest).toLowerCase();
  return whole.slice(first.toLowerCase().length);
};
export const method_capitalize = /* @__PURE__ */ mapped(capitalized);

/**
 * Return one character in lower case. A sigma gets its final form at a word's end, where marks and apostrophes do not
 * count as letters.
 */
function lowerAt(character: string, at: number, all: string): string {
  if (character !== "Σ") return character.toLowerCase();
  const before = all.slice(0, at).replace(/\p{Case_Ignorable}+$/u, "");
  const after = all.slice(at + 1).replace(/^\p{Case_Ignorable}+/u, "");
  return /\p{Cased}$/u.test(before) && !/^\p{Cased}/u.test(after) ? "ς" : "σ";
}

const titledRun = (run: string, at: number, all: string): string =>
  run.replace(/./gsu, (character, offset: number) => (offset ? lowerAt(character, at + offset, all) : titled(character)));
export const method_title = /* @__PURE__ */ mapped((value) => value.replace(/[\p{Cased}]+/gu, titledRun));

function swapped(character: string, at: number, all: string): string {
  return /\p{Uppercase}/u.test(character) ? lowerAt(character, at, all) : /\p{Lowercase}/u.test(character) ? character.toUpperCase() : character;
}
export const method_swapcase = /* @__PURE__ */ mapped((value) =>
  value.replace(/./gsu, (character, at: number) => swapped(character, at, value)),
);

/** Implements `islower` and `isupper`: at least one cased letter, and none of the other case. */
function cased(owner: unknown, other: RegExp): boolean {
  const whole = chars(text(owner));
  return /[\p{Uppercase}\p{Lowercase}\p{Lt}]/u.test(whole) && !other.test(whole);
}
export const method_islower = (owner: unknown): boolean => cased(owner, /[\p{Uppercase}\p{Lt}]/u);
export const method_isupper = (owner: unknown): boolean => cased(owner, /[\p{Lowercase}\p{Lt}]/u);
