// How much is missing until shipping is free? Counted on the total the shopper pays, after discounts.
import { afterCart, money } from "awning";
import view from "./view.html.j2";

interface Settings {
  threshold: number;
}

export default afterCart<Settings>(({ cart, currency, data, t }) => {
  const missing = Math.max(0, data.threshold - cart.total);
  return view({
    t,
    missing: missing > 0 ? money(missing, currency) : "",
    threshold: money(data.threshold, currency),
    percent: Math.round(Math.min(100, (cart.total / data.threshold) * 100)),
  });
});
