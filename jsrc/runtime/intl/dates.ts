/**
 * Dates and times as a language writes them. A value is one of
 *
 *     2026-03-02                    a day: shown as this day in every time zone
 *     2026-03-02T10:30              a local time: shown as this time in every time zone
 *     2026-03-02T10:30:00+02:00     an instant (or with Z): shown in `zone`, else in the shopper's own time zone
 *     a Date, or a number           an instant; the number is milliseconds since 1970
 */
import type { Moment } from "../../types/view.ts";
import { formatted } from "./formatted.ts";

/** The length of the result, or options of `Intl.DateTimeFormat`. */
export type Style = "full" | "long" | "medium" | "short" | Intl.DateTimeFormatOptions;

type Language = string | null | undefined;
type Zone = string | null | undefined;

/**
 * Return the time in milliseconds since 1970, and whether it has no time zone. A day or a local time has none, and is
 * read as UTC.
 *
 * The time is NaN for a value of another type, and for a time of day that does not exist. A string that has none of the
 * forms above throws RangeError. For a day that does not exist, some engines give NaN, and others throw RangeError.
 */
const read = (value: Moment): [time: number, floating: boolean] => {
  if (typeof value != "string") {
    return [typeof value == "number" || value instanceof Date ? +value : NaN, false];
  }
  const [, day, clock = "00:00", offset] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(value) ?? [];
  // Some engines read 30 February as a day in March.
  const real = new Date(`${day}T00:00Z`).toISOString().startsWith(day as string);
  return [real ? Date.parse(`${day}T${clock}${offset ?? "Z"}`) : NaN, !offset];
};

const written = (
  value: Moment,
  language: Language,
  style: Style,
  zone: Zone,
  options: (style: Intl.DateTimeFormatOptions["dateStyle"]) => Intl.DateTimeFormatOptions,
): string => {
  try {
    const [time, floating] = read(value);
    const timeZone = floating ? "UTC" : (zone ?? undefined);
    const asked = typeof style == "string" ? options(style) : style;
    return formatted(time, `${JSON.stringify(asked)} ${timeZone}`, language, (known) =>
      new Intl.DateTimeFormat(known, { ...asked, timeZone } as Intl.DateTimeFormatOptions),
    );
  } catch {
    return "";
  }
};

/** `date("2026-03-02", "en", "long")` is `March 2, 2026`. */
export const date = (value: Moment, language: Language, style: Style = "medium", zone?: Zone): string =>
  written(value, language, style, zone, (dateStyle) => ({ dateStyle }) as Intl.DateTimeFormatOptions);

/** `time("2026-03-02T10:30", "de")` is `10:30`. */
export const time = (value: Moment, language: Language, style: Style = "short", zone?: Zone): string =>
  written(value, language, style, zone, (timeStyle) => ({ timeStyle }) as Intl.DateTimeFormatOptions);

/** Format date and time. A style such as "long" is for the date; the time has no seconds. Options are for both. */
export const datetime = (value: Moment, language: Language, style: Style = "medium", zone?: Zone): string =>
  written(value, language, style, zone, (dateStyle) => ({ dateStyle, timeStyle: "short" }) as Intl.DateTimeFormatOptions);
