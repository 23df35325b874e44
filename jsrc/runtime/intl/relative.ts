/** Format a span of time: `relative(-1, "en", "day")` is `yesterday`, `relative(3, "de", "day")` is `in 3 Tagen`. */
import type { Amount } from "../../types/view.ts";
import { finite } from "./finite.ts";
import { formatted } from "./formatted.ts";

export const relative = (
  value: Amount,
  language: string | null | undefined,
  unit: Intl.RelativeTimeFormatUnit,
): string =>
  formatted(finite(value), `to ${unit}`, language, (known) => {
    const words = new Intl.RelativeTimeFormat(known, { numeric: "auto" });
    return { format: (distance: number) => words.format(distance, unit) };
  });
