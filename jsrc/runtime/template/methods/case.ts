/** Implements the methods of Python's strings that change or test the case. JavaScript has no title case. */

import { Markup, chars, isText, like } from "../markup";
import { fail } from "../thing";

type Text = string | Markup;

export const text = (value: unknown): Text => (isText(value) ? value : fail("it has no such method"));

export const mapped = (change: (text: string) => string) => (owner: unknown): Text =>
  like(text(owner), change(chars(text(owner))));

export const method_lower = /* @__PURE__ */ mapped((value) => value.toLowerCase());
export const method_upper = /* @__PURE__ */ mapped((value) => value.toUpperCase());

/**
 * Fold the case of a character completely, so that texts that differ only in case become equal. Cherokee letters are
 * folded to upper case, all others to lower case.
 */
function folded(character: string): string {
  if (character === "ı") return character;
  const upper = character.toLowerCase().toUpperCase();
  return /\p{Script=Cherokee}/u.test(character) ? upper : upper.toLowerCase();
}
export const method_casefold = /* @__PURE__ */ mapped((value) => Array.from(value, folded).join(""));

/** The title case of the digraphs, and of the letter whose upper case begins with an apostrophe. */
const TITLES: Record<string, string> = { ǆ: "ǅ", Ǆ: "ǅ", ǅ: "ǅ", ǉ: "ǈ", Ǉ: "ǈ", ǈ: "ǈ", ǌ: "ǋ", Ǌ: "ǋ", ǋ: "ǋ", ǳ: "ǲ", Ǳ: "ǲ", ǲ: "ǲ", ŉ: "ʼN" };

/** The iota below a Greek letter. It stays below in title case, and becomes a letter of its own in upper case. */
const IOTA_BELOW = "\u0345";

/** Return one character in title case. Georgian letters have none: only their upper case is different. */
function titled(character: string): string {
  if (/[ა-ჿ]/.test(character)) return character;
  const [base, iota] = character.normalize("NFD").split(IOTA_BELOW) as [string, string?];
  if (base && iota === "") {
    const parts = base.normalize().toUpperCase() + IOTA_BELOW;
    return parts.normalize().length > 1 ? parts : parts.normalize();
  }
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
