import { afterPrice } from "awning";
import view from "./view.html.j2";

export default afterPrice(({ item: { price, price_undiscounted, stock }, variant, t }) => {
  const saved = price_undiscounted - price;
  return (
    saved > 0 &&
    view({
      t,
      saved: saved.toFixed(2),
      before: price_undiscounted.toFixed(2),
      options: variant ? variant.options.map((option) => option.title).join(", ") : "",
      left: stock && stock < 4 ? stock : 0,
    })
  );
});
