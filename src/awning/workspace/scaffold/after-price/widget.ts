// How many are left of the chosen variant? Called for the page, and again for every variant a shopper selects.
import { afterPrice } from "awning";
import type { Data } from "./data.schema";
import view from "./view.html.j2";

export default afterPrice<Data>(({ item, data, t }) =>
  view({
    t,
    soldOut: item.stock === 0,
    left: item.stock !== null && item.stock <= data.few_left ? item.stock : 0,
  }),
);
