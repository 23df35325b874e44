import type { Item, Page, PriceParam, PriceUpdate, Variant } from "../types/index.ts";
import type { Common, DataOfNoType, Render, Slot } from "./slot.ts";

/** What an after-price widget renders from. */
export interface PriceArgs<Data = DataOfNoType> extends Common<Data> {
  /**
   * The product with the selected variant's attributes over it (`price`, `weight`, `sku`, `stock`, ...; `id` stays the
   * product's). A variant without a weight of its own has the product's.
   */
  item: Item;
  /** The selected variant, or null when none is selected or the product has none. */
  variant: Variant | null;
}

/**
 * A widget next to the price of a product. `render` is called for the page and again whenever another variant is
 * selected, at times more than once with the same one.
 */
export const afterPrice = <Data = DataOfNoType>(render: Render<PriceArgs<Data>>): Slot => [
  (start) =>
    start(
      [`${AWNING_EVENT_PREFIX}content-after-price`, `${AWNING_EVENT_PREFIX}content-after-price-updated`],
      render as Render<never>,
      (
        { item }: PriceParam<Item, Page>,
        update: PriceUpdate<Item, Variant> | undefined,
        variant = update?.selectedVariant || null,
      ) => ({
        item: { ...item, ...variant, id: item.id, weight: variant?.weight ?? item.weight },
        variant,
      }),
    ),
];
