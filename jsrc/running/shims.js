// What QuickJS lacks and the page's own modules need while they load. The first import of `index.js`.
const plain = (value, options = {}) => {
  const digits = options.maximumFractionDigits ?? options.minimumFractionDigits ?? (options.style === "currency" ? 2 : 3);
  const number = Number(value);
  const text = options.style === "percent" ? `${(number * 100).toFixed(0)}%` : String(Number(number.toFixed(Math.min(digits, 20))));
  return options.style === "currency" ? `${options.currency ?? ""} ${number.toFixed(Math.min(digits, 20))}` : text;
};
class NumberFormat {
  constructor(language, options = {}) {
    if (options.style === "currency" && !options.currency) throw new TypeError("Currency code is required with currency style.");
    this.options = options;
    this.format = (value) => plain(value, options);
  }
  formatToParts(value) { return [{ type: "integer", value: this.format(value) }]; }
  resolvedOptions() { return { locale: "en", numberingSystem: "latn", maximumFractionDigits: 2, minimumFractionDigits: 0, ...this.options }; }
}
class DateTimeFormat {
  constructor(language, options = {}) {
    this.options = options;
    this.format = (value) => {
      const date = new Date(value ?? Date.now());
      if (Number.isNaN(date.getTime())) throw new RangeError("Invalid time value");
      return date.toISOString().slice(0, 10);
    };
  }
  formatToParts(value) {
    const [year, month, day] = this.format(value).split("-");
    return [{ type: "year", value: year }, { type: "month", value: month }, { type: "day", value: day }];
  }
  resolvedOptions() { return { locale: "en", calendar: "gregory", numberingSystem: "latn", timeZone: "UTC", ...this.options }; }
}
class PluralRules {
  select(number) { return Number(number) === 1 ? "one" : "other"; }
  resolvedOptions() { return { locale: "en", pluralCategories: ["one", "other"] }; }
}
class RelativeTimeFormat {
  format(value, unit) { return value < 0 ? `${-value} ${unit} ago` : `in ${value} ${unit}`; }
}
class Collator { constructor() { this.compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0); } }
class ListFormat { format(list) { return [...list].join(", "); } }
class DisplayNames { of(code) { return String(code); } }
class Segmenter { segment(text) { return [...String(text)].map((segment, index) => ({ segment, index })); } }
for (const one of [NumberFormat, DateTimeFormat, PluralRules, RelativeTimeFormat, Collator, ListFormat, DisplayNames, Segmenter]) {
  one.supportedLocalesOf = (names) => [].concat(names ?? []);
}
const callable = (Class) => new Proxy(Class, { apply: (_target, _self, args) => new Class(...args) });
globalThis.Intl = {
  NumberFormat: callable(NumberFormat), DateTimeFormat: callable(DateTimeFormat), Collator: callable(Collator),
  PluralRules, RelativeTimeFormat, ListFormat, DisplayNames, Segmenter,
  getCanonicalLocales: (names) => [].concat(names ?? []),
};
