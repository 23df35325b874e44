/**
 * Intl, which QuickJS lacks. Numbers, plurals and the order of texts are right in English. Numbers and dates in other
 * languages are texts that stand for those of a browser. A script that asks for more is not looked at from there on.
 */
import { notLookedAt } from "./reports.ts";

type Options = Readonly<Record<string, unknown>>;

const SYMBOLS: Record<string, string> = {
  EUR: "€", USD: "$", GBP: "£", JPY: "¥", INR: "₹", KRW: "₩", BRL: "R$", CAD: "CA$", AUD: "A$", NZD: "NZ$", MXN: "MX$",
  ILS: "₪", VND: "₫", HKD: "HK$", TWD: "NT$", CNY: "CN¥",
};
const WITHOUT_DECIMALS = new Set(["JPY", "KRW", "VND", "CLP", "ISK", "XAF", "XOF", "PYG", "UGX"]);
const LONGEST_FRACTION = 100;
/** Options that change the signs of a number in other ways. */
const OTHER_SIGNS = [
  "unit", "notation", "signDisplay", "currencySign", "minimumIntegerDigits", "minimumSignificantDigits",
  "maximumSignificantDigits", "roundingMode", "roundingIncrement", "roundingPriority", "trailingZeroDisplay",
  "numberingSystem",
];

const isEnglish = (languages: unknown): boolean => {
  const [first = "en"] = ([] as unknown[]).concat(languages ?? []);
  return /^en(?:-|$)/i.test(String(first));
};

function digitsOf(options: Options): [least: number, most: number] {
  const { style, currency, minimumFractionDigits, maximumFractionDigits } = options;
  const ofCurrency = WITHOUT_DECIMALS.has(String(currency).toUpperCase()) ? 0 : 2;
  const usual = style === "currency" ? [ofCurrency, ofCurrency] : style === "percent" ? [0, 0] : [0, 3];
  const least = minimumFractionDigits === undefined ? undefined : Number(minimumFractionDigits);
  const most = maximumFractionDigits === undefined ? undefined : Number(maximumFractionDigits);
  for (const count of [least, most]) {
    if (count !== undefined && !(count >= 0 && count <= LONGEST_FRACTION)) {
      throw new RangeError("maximumFractionDigits value is out of range.");
    }
  }
  if (least !== undefined && most !== undefined && least > most) {
    throw new RangeError("maximumFractionDigits value is out of range.");
  }
  const [usualLeast = 0, usualMost = 0] = usual;
  const lowest = least ?? Math.min(usualLeast, most ?? usualLeast);
  return [lowest, most ?? Math.max(usualMost, lowest)];
}

/** Return the digits of a number that is not negative, in English. */
function digits(value: number, options: Options): string {
  if (Number.isNaN(value)) {
    return "NaN";
  }
  if (value === Infinity) {
    return "∞";
  }
  const [least, most] = digitsOf(options);
  const [whole = "", fraction = ""] = value.toFixed(most).split(".");
  const kept = fraction.replace(/0+$/, "").padEnd(least, "0");
  const grouped = options.useGrouping === false ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return kept ? `${grouped}.${kept}` : grouped;
}

function currencyBefore({ currency, currencyDisplay }: Options): string {
  const code = String(currency).toUpperCase();
  const symbol = currencyDisplay === "code" ? undefined : SYMBOLS[code];
  if (currencyDisplay === "name" || currencyDisplay === "narrowSymbol") {
    notLookedAt("Intl.NumberFormat with currencyDisplay");
  }
  return symbol ?? `${code}\u00a0`;
}

function formatNumber(value: unknown, options: Options): string {
  for (const name of OTHER_SIGNS) {
    if (options[name] !== undefined) {
      notLookedAt(`Intl.NumberFormat with ${name}`);
    }
  }
  const number = Number(value) * (options.style === "percent" ? 100 : 1);
  const sign = number < 0 || Object.is(number, -0) ? "-" : "";
  const before = options.style === "currency" ? currencyBefore(options) : "";
  return `${sign}${before}${digits(Math.abs(number), options)}${options.style === "percent" ? "%" : ""}`;
}

/** Return a member that ends the run. */
const left = (name: string) => (): never => notLookedAt(`Intl.${name}`);

class NumberFormat {
  readonly format: (value: unknown) => string;
  readonly formatToParts = left("NumberFormat.formatToParts()");
  readonly formatRange = left("NumberFormat.formatRange()");
  readonly resolvedOptions = left("NumberFormat.resolvedOptions()");
  static readonly supportedLocalesOf = left("NumberFormat.supportedLocalesOf()");

  constructor(_languages?: unknown, options: Options = {}) {
    const { style, currency } = options;
    if (style === "currency" && !currency) {
      throw new TypeError("Currency code is required with currency style.");
    }
    if (style === "currency" && !/^[a-z]{3}$/i.test(String(currency))) {
      throw new RangeError("Invalid currency code");
    }
    if (style === "unit") {
      notLookedAt("Intl.NumberFormat with unit");
    }
    digitsOf(options);
    this.format = (value) => formatNumber(value, options);
  }
}

class DateTimeFormat {
  readonly format: (value?: unknown) => string;
  readonly formatToParts = left("DateTimeFormat.formatToParts()");
  readonly formatRange = left("DateTimeFormat.formatRange()");
  readonly resolvedOptions = left("DateTimeFormat.resolvedOptions()");
  static readonly supportedLocalesOf = left("DateTimeFormat.supportedLocalesOf()");

  constructor() {
    this.format = (value) => {
      const date = value === undefined ? new Date() : new Date(value as number);
      if (Number.isNaN(date.getTime())) {
        throw new RangeError("Invalid time value");
      }
      return `${date.getMonth() + 1}/${date.getDate()}/${date.getFullYear()}`;
    };
  }
}

class PluralRules {
  readonly selectRange = left("PluralRules.selectRange()");
  readonly resolvedOptions = left("PluralRules.resolvedOptions()");
  static readonly supportedLocalesOf = left("PluralRules.supportedLocalesOf()");

  constructor(
    private readonly languages?: unknown,
    private readonly options: Options = {},
  ) {}
  select(number: unknown): string {
    if (!isEnglish(this.languages) || Object.keys(this.options).some((name) => this.options[name] !== "cardinal")) {
      notLookedAt("Intl.PluralRules in another language");
    }
    return Number(number) === 1 ? "one" : "other";
  }
}

/** Texts without accents and capitals, then with accents, then with capitals. */
const LEVELS: ReadonlyArray<(text: string) => string> = [
  (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase(),
  (text) => text.normalize("NFD").toLowerCase(),
  (text) => text.replace(/./gu, (sign) => (sign === sign.toLowerCase() ? "0" : "1")),
];
const SENSITIVITY: Record<string, number> = { base: 1, accent: 2, variant: LEVELS.length };

/** Return the number of levels that options ask for. */
function levelsOf(languages: unknown, { sensitivity = "variant", ...others }: Options): number {
  const count = SENSITIVITY[String(sensitivity)];
  if (!isEnglish(languages) || Object.keys(others).length || count === undefined) {
    return notLookedAt("the order of texts in a language");
  }
  return count;
}

function compare(a: unknown, b: unknown, languages?: unknown, options: Options = {}): number {
  for (const level of LEVELS.slice(0, levelsOf(languages, options))) {
    const [first, second] = [[...level(String(a))], [...level(String(b))]] as const;
    const at = first.findIndex((sign, index) => sign !== second[index]);
    const [sign, other] = [first[at] ?? "", second[at < 0 ? first.length : at] ?? ""];
    if (sign === other) {
      continue;
    }
    if (/[^\p{L}\p{N}\p{M} ]/u.test(sign + other)) {
      notLookedAt("the order of signs in a language");
    }
    return sign < other ? -1 : 1;
  }
  return 0;
}

class Collator {
  readonly compare: (a: unknown, b: unknown) => number;
  readonly resolvedOptions = left("Collator.resolvedOptions()");
  static readonly supportedLocalesOf = left("Collator.supportedLocalesOf()");

  constructor(languages?: unknown, options?: Options) {
    this.compare = (a, b) => compare(a, b, languages, options);
  }
}

/** A class whose instances are known and whose methods are not. */
const opaque = (name: string, ...methods: string[]): object => {
  const Class = class {};
  for (const method of [...methods, "resolvedOptions"]) {
    Object.defineProperty(Class.prototype, method, { value: left(`${name}.${method}()`), configurable: true });
  }
  return Object.assign(Class, { supportedLocalesOf: left(`${name}.supportedLocalesOf()`) });
};

/** Let a class be called without `new`. */
const callable = <Class extends new (...values: any[]) => object>(made: Class): Class =>
  new Proxy(made, { apply: (_target, _self, values: ConstructorParameters<Class>) => new made(...values) });

const intl = {
  NumberFormat: callable(NumberFormat),
  DateTimeFormat: callable(DateTimeFormat),
  Collator: callable(Collator),
  PluralRules,
  RelativeTimeFormat: opaque("RelativeTimeFormat", "format", "formatToParts"),
  ListFormat: opaque("ListFormat", "format", "formatToParts"),
  DisplayNames: opaque("DisplayNames", "of"),
  Segmenter: opaque("Segmenter", "segment"),
  Locale: left("Locale"),
  getCanonicalLocales: left("getCanonicalLocales()"),
  supportedValuesOf: left("supportedValuesOf()"),
};
Object.defineProperty(globalThis, "Intl", { value: intl, writable: true, configurable: true, enumerable: false });

/** The members of numbers, dates and texts that depend on a language. */
function localize(prototype: object, name: string, value: unknown): void {
  Object.defineProperty(prototype, name, { value, writable: true, configurable: true, enumerable: false });
}
localize(Number.prototype, "toLocaleString", function (this: number, languages?: unknown, options?: Options) {
  return new NumberFormat(languages, options).format(this);
});
for (const name of ["toLocaleDateString", "toLocaleTimeString", "toLocaleString"]) {
  localize(Date.prototype, name, function (this: Date) {
    return Number.isNaN(this.getTime()) ? "Invalid Date" : new DateTimeFormat().format(this);
  });
}
localize(String.prototype, "localeCompare", function (this: string, other: unknown, languages?: unknown, options?: Options) {
  return compare(this, other, languages, options);
});
