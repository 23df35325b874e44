import type { CartData, CartParam, Currency, Page } from "../types/index.ts";
import type { Args, Common, DataOfNoType, Render, Slot } from "./slot.ts";

/** What a widget of the cart or checkout page renders from. */
export interface CartArgs<Data = DataOfNoType> extends Common<Data> {
  /** The cart as it is now. Only `total` and `total_no_discount` are known to be there. */
  cart: CartData;
  /** How prices are displayed. */
  currency: Currency;
}

// On -updated the event parameter still holds the cart of the page load: the update is the fresh one.
const args: Args = ({ cartData, currency }: CartParam<CartData, Currency, Page>, update: CartData | undefined) => ({
  cart: update || cartData,
  currency,
});

/** A widget below the item list of the cart. */
export const afterCart = <Data = DataOfNoType>(render: Render<CartArgs<Data>>): Slot => [
  (start) => start([`${AWNING_EVENT_PREFIX}content-after-cart`], render as Render<never>, args),
];

/** A widget below the item list of the checkout, called again when the total changes. */
export const afterCheckout = <Data = DataOfNoType>(render: Render<CartArgs<Data>>): Slot => [
  (start) =>
    start(
      [`${AWNING_EVENT_PREFIX}content-after-checkout`, `${AWNING_EVENT_PREFIX}content-after-checkout-updated`],
      render as Render<never>,
      args,
    ),
];
