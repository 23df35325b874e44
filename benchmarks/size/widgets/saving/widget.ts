import { afterPrice } from "awning";
import view from "./view.html.j2";

export default afterPrice(({ item, variant, t }) => {
  const saved = item.price_undiscounted - item.price;
  if (saved <= 0) return "";
  return view({
    t,
    saved: saved.toFixed(2),
    before: item.price_undiscounted.toFixed(2),
    options: variant ? variant.options.map((option) => option.title).join(", ") : "",
    left: item.stock && item.stock < 4 ? item.stock : 0,
  });
});
