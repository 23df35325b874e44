// What does a kilogram cost, and what does one instalment? Both follow the price of the chosen variant. The price of a
// kilogram follows its weight, too.
import { afterPrice } from "awning";
import type { Data } from "./data.schema";
import view from "./view.html.j2";

const LIGHT_PACK_GRAMS = 250;

export default afterPrice<Data>(({ item, data, t }) => {
  const byWeight = item.weight > 0 && data.categories.some((category) => item.category.includes(category));
  // All variants of a product get the same unit, so that they can be compared. `item.weight` is the chosen variant's.
  const weights = item.variants.flatMap(({ weight }) => weight || []);
  const lightest = weights.length ? Math.min(...weights) : item.weight;
  const per100Grams = data.per === "weight" && lightest < LIGHT_PACK_GRAMS;
  const count = item.stock !== 0 && item.price >= data.minimum ? data.instalments : 0;
  return (byWeight || count > 1) && item.price > 0
    ? view({
        t,
        currency: item.currency,
        unitPrice: byWeight ? (item.price / item.weight) * (per100Grams ? 100 : 1000) : 0,
        per100Grams,
        count: count > 1 ? count : 0,
        instalment: item.price / count,
        provider: data.provider,
      })
    : "";
});
