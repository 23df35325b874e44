// How much is missing until the shop adds a gift? Counted on what the shopper pays.
import { afterCart } from "awning";
import view from "./view.html.j2";

interface Settings {
  threshold: number;
}

export default afterCart<Settings>(({ cart, currency, data, t }) =>
  view({ t, currency, missing: Math.max(0, data.threshold - cart.total) }),
);
