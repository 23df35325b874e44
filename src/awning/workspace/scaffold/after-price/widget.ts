// How many are left of the chosen variant? Called for the page, and again for every variant a shopper selects.
import { afterPrice } from "awning";
import view from "./view.html.j2";

interface Settings {
  few_left: number;
}

export default afterPrice<Settings>(({ item, data, t }) =>
  view({
    t,
    soldOut: item.stock === 0,
    left: item.stock !== null && item.stock <= data.few_left ? item.stock : 0,
  }),
);
