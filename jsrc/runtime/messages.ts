/**
 * The arguments that every render function gets, with the messages among them: a table of texts, and the language chosen
 * once per host. A text is a string with `{name}`s, or strings by CLDR plural category, chosen by the argument `count`.
 */
import type { MakeCommon } from "./slot.ts";

export type TextArguments = Readonly<Record<string, unknown>>;

/** The text of a message with values for its `{name}`s. A missing message becomes its key. */
export type Translate = (key: string, values?: TextArguments) => string;

/** Returns the value of a `{name}`. */
type Fill = (whole: string, name: string) => string;

/** A text: a string, or `plurals`, which first chooses a string. Both can replace their `{name}`s. */
export interface Text {
  replace(pattern: RegExp, fill: Fill): string;
}

/** Plural rules by language. Each is stored, because Intl takes far longer than everything else here. */
const rules = { __proto__: null } as unknown as Record<string, Intl.PluralRules>;

/** A text by plural category: `plurals("lv", { one: "{count} diena", other: "{count} dienas" })`. */
export const plurals = (language: string, forms: Readonly<Record<string, string>>): Text => ({
  replace: (pattern, fill) => {
    const category = (rules[language] ??= new Intl.PluralRules(language)).select(fill("?", "count") as unknown as number);
    return (forms[category] ?? (forms["other"] as string)).replace(pattern, fill);
  },
});

// The three functions below repeat a few lines: a snippet usually has one of them, so a shared function would add bytes.

/** Without messages each key is its text. */
export const noMessages: MakeCommon = (page, data) => ({ page, language: page.language, data, t: String });

/** The texts of one language: `oneLanguage({ saved: "You save {amount}" })`. */
export const oneLanguage =
  (texts: Readonly<Record<string, Text>>): MakeCommon =>
  (page, data) => ({
    page,
    language: page.language,
    data,
    t: (key, values) => (texts[key] ?? key).replace(/{(\w+)}/g, (whole, name) => (values?.[name] ?? whole) as string),
  });

/**
 * The texts of the page's language: `byLanguage(["en"], { saved: ["...", "..."] })`. Each list starts with the text of
 * the fallback language, followed by the texts of `languages`. A text that a language does not have is null.
 */
export const byLanguage =
  (languages: readonly string[], texts: Readonly<Record<string, readonly (Text | null)[]>>): MakeCommon =>
  (page, data) => {
    // An unknown language is at -1, so it gets the first text.
    const at = languages.indexOf(page.language) + 1;
    return {
      page,
      language: page.language,
      data,
      t: (key, values) =>
        (texts[key]?.[at] ?? key).replace(/{(\w+)}/g, (whole, name) => (values?.[name] ?? whole) as string),
    };
  };
