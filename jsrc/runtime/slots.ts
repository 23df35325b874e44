/**
 * The slots: what a widget's script exports, and what its render function gets.
 *
 * Written from src/awning/contract/slots.py by `python -m awning.contract.descriptions types`.
 */
import type { CartData, CartParam, Currency, Item, Page, PriceParam, PriceUpdate, Variant } from "../types/index.ts";
import type { Args, Common, DataOfNoType, Render, Slot } from "./slot.ts";

/** The arguments of a render function next to the price of a product. */
export interface PriceArgs<Data = DataOfNoType> extends Common<Data> {
  /**
   * The product, with the values that the chosen variant overrides. Its `id` stays the product's, and so does its
   * weight when the variant has none.
   */
  item: Item;
  /** The chosen variant; null when none is chosen, or the product has none. */
  variant: Variant | null;
}

/**
 * Define a widget next to the price of a product. `render` is called for the page, and again when another
 * variant is selected. It may be called more than once with the same variant.
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

/** The arguments of a render function on the cart or checkout page. */
export interface CartArgs<Data = DataOfNoType> extends Common<Data> {
  /**
   * The newest cart that was delivered. Only `total` and `total_no_discount` were observed; all other fields are
   * assumed.
   */
  cart: CartData;
  /** The currency, and how prices are displayed. */
  currency: Currency;
}

const cartArgs: Args = (
  { cartData, currency }: CartParam<CartData, Currency, Page>,
  update: CartData | undefined,
) => ({
  cart: update || cartData,
  currency,
});

/** Define a widget below the item list of the cart. */
export const afterCart = <Data = DataOfNoType>(render: Render<CartArgs<Data>>): Slot => [
  (start) =>
    start(
      [`${AWNING_EVENT_PREFIX}content-after-cart`],
      render as Render<never>,
      cartArgs,
    ),
];

/** Define a widget below the item list of the checkout. It is rendered again when the total changes. */
export const afterCheckout = <Data = DataOfNoType>(render: Render<CartArgs<Data>>): Slot => [
  (start) =>
    start(
      [`${AWNING_EVENT_PREFIX}content-after-checkout`, `${AWNING_EVENT_PREFIX}content-after-checkout-updated`],
      render as Render<never>,
      cartArgs,
    ),
];

/**
 * The arguments of a render function whose slot TypeScript does not infer, as in `afterPrice(live(({ t }) =>
 * ...))`: those of all slots. `afterPrice<Data>(live(...))` gives them their types.
 *
 * @internal
 */
export interface ArgsOfASlot extends Common<any> {
  item?: any;
  variant?: any;
  cart?: any;
  currency?: any;
}
