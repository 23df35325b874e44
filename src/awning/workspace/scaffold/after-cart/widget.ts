// Shows how much is missing until the shop adds a gift. `cart.total` is the amount that the shopper pays.
import { afterCart } from "awning";
import type { Data } from "./data.schema";
import view from "./view.html.j2";

export default afterCart<Data>(({ cart, currency, data, t }) =>
  view({ t, currency, missing: Math.max(0, data.threshold - cart.total) }),
);
