/**
 * Texts: one table per language, chosen once per widget and language. A text is a string with `{name}`s, or strings
 * by CLDR plural category, chosen by the argument `count`.
 */

export type Text = string | Readonly<Record<string, string>>;
export type Texts = Readonly<Record<string, Text>>;
export type TextArguments = Readonly<Record<string, unknown>>;

/** The text of a message with its `{name}`s filled in; a message that is missing is its key. */
export type Translate = (key: string, values?: TextArguments) => string;

/** The texts for a page's language. */
export type Messages = (language: string) => Translate;

/** Chooses among texts by plural category. Given only to widgets that have such texts. */
export type Choose = (text: Readonly<Record<string, string>>, count: unknown) => string | undefined;

const translate =
  (texts: Texts, choose?: Choose): Translate =>
  (key, values = {}) => {
    const text = texts[key] ?? key;
    return ((typeof text == "string" ? text : choose?.(text, values["count"])) ?? key).replace(
      /\{(\w+)}/g,
      (whole, name: string) => (values[name] ?? whole) as string,
    );
  };

/** `plurals("lv")`: the category of a count by the rules of a language. */
export const plurals = (language: string): Choose => {
  const rules = new Intl.PluralRules(language);
  return (text, count) => text[rules.select(count as number)] ?? text["other"];
};

/** One language's texts, whatever the page says. `choose` is `plurals(language)`, left out where no text has plurals. */
export const oneLanguage = (texts: Texts, choose?: Choose): Messages => {
  const t = translate(texts, choose);
  return () => t;
};

/** The page's language's texts, or those of `fallback`. `rules` is `plurals`, left out where no text has plurals. */
export const byLanguage = (
  texts: Readonly<Record<string, Texts>>,
  fallback: string,
  rules?: (language: string) => Choose,
): Messages => {
  const made: Record<string, Translate> = {};
  return (language) => {
    const known = texts[language] ? language : fallback;
    return (made[known] ??= translate(texts[known] as Texts, rules?.(known)));
  };
};
