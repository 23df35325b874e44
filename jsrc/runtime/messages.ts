/**
 * Messages: one table for each language, chosen once per host. A text is a string with `{name}`s, or strings by CLDR
 * plural category, chosen by the argument `count`.
 */

export type TextArguments = Readonly<Record<string, unknown>>;

/** The text of a message with values for its `{name}`s. A missing message becomes its key. */
export type Translate = (key: string, values?: TextArguments) => string;

/** Returns the value of a `{name}`. */
type Fill = (whole: string, name: string) => string;

/** A text: a string, or an object of `plurals`, which first chooses a string. Both can replace their `{name}`s. */
export interface Text {
  replace(pattern: RegExp, fill: Fill): string;
}
export type Texts = Readonly<Record<string, Text>>;

/** Texts, some by plural category: `plurals("lv", { days: { one: "{count} diena", other: ... } })`. */
export const plurals = (language: string, texts: Readonly<Record<string, string | Readonly<Record<string, string>>>>): Texts => {
  const rules = new Intl.PluralRules(language);
  const choosing = (forms: Readonly<Record<string, string>>): Text => ({
    replace: (pattern, fill) =>
      (forms[rules.select(fill("?", "count") as unknown as number)] ?? forms["other"] ?? "").replace(pattern, fill),
  });
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, typeof text == "string" ? text : choosing(text)]),
  );
};

/** The texts of one language. */
export const oneLanguage =
  (texts: Texts): Translate =>
  (key, values) =>
    (texts[key] ?? key).replace(/{(\w+)}/g, (whole, name) => (values?.[name] ?? whole) as string);

/** The texts of the page's `language`, or of `fallback`. */
export const byLanguage = (texts: Readonly<Record<string, Texts>>, fallback: string, language: string): Translate =>
  oneLanguage((texts[language] ?? texts[fallback]) as Texts);
