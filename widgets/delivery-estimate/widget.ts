// When would an order of this variant arrive? Working days from today, one more after the cut-off hour or on a weekend.
import { afterPrice } from "awning";
import type { Data } from "./data.schema";
import view from "./view.html.j2";

/** The date `days` working days (Monday to Friday) after `from`. */
function workingDaysAfter(from: Date, days: number): Date {
  const date = new Date(from);
  while (days > 0) {
    date.setDate(date.getDate() + 1);
    if (date.getDay() % 6) days--;
  }
  return date;
}

export default afterPrice<Data>(({ item, page, data, t }) => {
  if (item.stock === 0) return view({ t, soldOut: true });
  const now = new Date();
  const late = now.getHours() >= data.cutoff_hour || now.getDay() % 6 === 0;
  const extra = (late ? 1 : 0) + (item.weight >= data.heavy_from_grams ? data.heavy_extra_days : 0);
  const day = (days: number): string =>
    workingDaysAfter(now, days + extra).toLocaleDateString(page.language, {
      weekday: "short",
      day: "numeric",
      month: "short",
    });
  const hours = data.cutoff_hour - now.getHours();
  return view({
    t,
    first: day(data.fastest_days),
    last: day(data.slowest_days),
    hours: !late && hours <= 6 ? hours : 0,
    left: item.stock !== null && item.stock <= data.few_left ? item.stock : 0,
    soldOut: false,
  });
});
