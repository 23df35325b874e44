// How much is missing until shipping is free? Counted on the total the shopper pays, after discounts.
import { afterCart } from "awning";
import type { Data } from "./data.schema";
import view from "./view.html.j2";

export default afterCart<Data>(({ cart, currency, data: { threshold }, t }) =>
  view({
    t,
    currency,
    threshold,
    missing: Math.max(0, threshold - cart.total),
    percent: Math.round(Math.min(100, (cart.total / threshold) * 100)),
  }),
);
