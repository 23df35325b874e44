// Shows how many pieces are left. awning calls the function for the page, and again for every variant that is selected.
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
