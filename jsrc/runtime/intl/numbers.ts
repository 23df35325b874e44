/**
 * Numbers as a language writes them. `digits` is the number of digits after the separator; without it Intl decides. A
 * number that is rounded to zero has no sign (`signDisplay: "negative"` of Intl is younger than the browsers of shops).
 */
import type { Amount } from "../../types/view.ts";
import { finite } from "./finite.ts";
import { formatted } from "./formatted.ts";

type Language = string | null | undefined;
type Digits = number | null | undefined;

const written = (value: Amount, language: Language, digits: Digits, options: Intl.NumberFormatOptions): string =>
  formatted(finite(value), `${digits} ${options.style} ${options.unit} ${options.unitDisplay}`, language, (known) => {
    const places = digits ?? undefined;
    const format = new Intl.NumberFormat(known, {
      ...options,
      minimumFractionDigits: places,
      maximumFractionDigits: places,
    } as Intl.NumberFormatOptions);
    const negativeZero = format.format(-0);
    return {
      format: (number: number) => {
        const text = format.format(number);
        return text == negativeZero ? format.format(0) : text;
      },
    };
  });

/** `number(1234.5, "de", 2)` is `1.234,50`. */
export const number = (value: Amount, language: Language, digits?: Digits): string =>
  written(value, language, digits, { style: "decimal" });

/** `percent(0.25, "de")` is `25 %`. The default is no digits after the separator. */
export const percent = (value: Amount, language: Language, digits?: Digits): string =>
  written(value, language, digits, { style: "percent" });

/** `unit(350, "en", "gram")` is `350 g`. ECMA-402 lists the units; `width` is `short`, `long` or `narrow`. */
export const unit = (
  value: Amount,
  language: Language,
  name: string,
  digits?: Digits,
  width: "short" | "long" | "narrow" = "short",
): string => written(value, language, digits, { style: "unit", unit: name, unitDisplay: width });
