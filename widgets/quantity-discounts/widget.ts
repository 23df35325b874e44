// What does a piece cost if a shopper takes several? The app's server, or a discount rule of the shop, grants the price.
import { afterPrice } from "awning";
import type { Data } from "./data.schema";
import view from "./view.html.j2";

export default afterPrice<Data>(({ item, data, t }) => {
  // A quantity that is not in stock has no price. Another tool may have stored a wrong percentage.
  const stock = item.stock ?? Infinity;
  const tiers = data.tiers.filter(({ from, percent }) => from <= stock && percent > 0 && percent < 100).sort((a, b) => a.from - b.from);
  const rows = [{ from: 1, percent: 0 }, ...tiers].map(({ from, percent }, index) => ({
    from,
    to: tiers[index] ? tiers[index].from - 1 : 0,
    price: item.price * (1 - percent / 100),
    percent,
  }));
  return tiers.length ? view({ t, rows, currency: item.currency }) : "";
});
