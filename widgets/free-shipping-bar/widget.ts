// How much is missing until shipping is free? Counted on the total the shopper pays, after discounts.
import { afterCart } from "awning";
import view from "./view.html.j2";

interface Settings {
  threshold: number;
}

export default afterCart<Settings>(({ cart, currency, data: { threshold }, t }) =>
  view({
    t,
    currency,
    threshold,
    missing: Math.max(0, threshold - cart.total),
    percent: Math.round(Math.min(100, (cart.total / threshold) * 100)),
  }),
);
