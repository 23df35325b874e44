import type { Item, Page, PriceParam, PriceUpdate, Variant } from "../types/index.ts";
import type { Common, DataOfNoType, Render, Slot } from "./slot.ts";

/** The arguments of an after-price widget's render function. */
export interface PriceArgs<Data = DataOfNoType> extends Common<Data> {
  /**
   * The product, with the attributes of the selected variant (`price`, `weight`, `sku`, `stock`, ...) but the product's
   * `id`. If the variant has no weight, the product's weight stays.
   */
  item: Item;
  /** The selected variant; null when none is selected or the product has no variants. */
  variant: Variant | null;
}

/**
 * Define a widget next to the price of a product. `render` is called for the page, and again when another variant is
 * selected. It may be called more than once with the same variant.
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
