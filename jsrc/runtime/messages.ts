/**
 * Makes the arguments that all render functions get. Among them is `t`, which returns the text of a message in the
 * page's language. The language is chosen once per host element. A text is a string with `{name}`s, or one string for each
 * CLDR plural category; the argument `count` chooses the category.
 */
import type { MakeCommon } from "./slot.ts";

/**
 * The arguments of a message, by name.
 *
 * @internal
 */
export type TextArguments = Readonly<Record<string, unknown>>;

/** The text of a message with values for its `{name}`s. A missing message becomes its key. */
export type Translate = (key: string, values?: TextArguments) => string;

/** Returns the value of a `{name}`. */
type Fill = (whole: string, name: string) => string;

/** A text: a string, or the result of `plurals`, which first chooses a string. Both can replace their `{name}`s. */
export interface Text {
  replace(pattern: RegExp, fill: Fill): string;
}

/** Plural rules by language. They are cached, because creating them takes far longer than everything else here. */
const rules = { __proto__: null } as unknown as Record<string, Intl.PluralRules>;

/** Make a text with plural forms: `plurals("lv", { one: "{count} diena", other: "{count} dienas" })`. */
export const plurals = (language: string, forms: Readonly<Record<string, string>>): Text => ({
  replace: (pattern, fill) => {
    const category = (rules[language] ??= new Intl.PluralRules(language)).select(fill("?", "count") as unknown as number);
    return (forms[category] ?? (forms["other"] as string)).replace(pattern, fill);
  },
});

// The three functions below repeat a few lines: a snippet usually has one of them, so a shared function would add bytes.

/** Make arguments without messages. `t` then returns the key. */
export const noMessages: MakeCommon = (page, data) => ({ page, language: page.language, data, t: String });

/** Make arguments with the texts of one language: `oneLanguage({ saved: "You save {amount}" })`. */
export const oneLanguage =
  (texts: Readonly<Record<string, Text>>): MakeCommon =>
  (page, data) => ({
    page,
    language: page.language,
    data,
    t: (key, values) => (texts[key] ?? key).replace(/{(\w+)}/g, (whole, name) => (values?.[name] ?? whole) as string),
  });

/**
 * Make arguments with the texts of the page's language: `byLanguage(["en"], { saved: ["...", "..."] })`. Each list
 * begins with the text of the fallback language. The texts of `languages` follow. A missing text is null.
 */
export const byLanguage =
  (languages: readonly string[], texts: Readonly<Record<string, readonly (Text | null)[]>>): MakeCommon =>
  (page, data) => {
    // For an unknown language, indexOf is -1, so it gets the first text.
    const at = languages.indexOf(page.language) + 1;
    return {
      page,
      language: page.language,
      data,
      t: (key, values) =>
        (texts[key]?.[at] ?? key).replace(/{(\w+)}/g, (whole, name) => (values?.[name] ?? whole) as string),
    };
  };
