import type { CartData, CartParam, Currency, Page } from "../types/index.ts";
import type { Args, Common, DataOfNoType, Render, Slot } from "./slot.ts";

/** The arguments of a render function on the cart or checkout page. */
export interface CartArgs<Data = DataOfNoType> extends Common<Data> {
  /** The current cart. Only `total` and `total_no_discount` were observed; all other fields are assumed. */
  cart: CartData;
  /** The display format of prices. */
  currency: Currency;
}

// In an -updated event, the parameter still has the cart of the page load. The update has the current cart.
const args: Args = ({ cartData, currency }: CartParam<CartData, Currency, Page>, update: CartData | undefined) => ({
  cart: update || cartData,
  currency,
});

/** Define a widget below the item list of the cart. */
export const afterCart = <Data = DataOfNoType>(render: Render<CartArgs<Data>>): Slot => [
  (start) => start([`${AWNING_EVENT_PREFIX}content-after-cart`], render as Render<never>, args),
];

/** Define a widget below the item list of the checkout. It is rendered again when the total changes. */
export const afterCheckout = <Data = DataOfNoType>(render: Render<CartArgs<Data>>): Slot => [
  (start) =>
    start(
      [`${AWNING_EVENT_PREFIX}content-after-checkout`, `${AWNING_EVENT_PREFIX}content-after-checkout-updated`],
      render as Render<never>,
      args,
    ),
];
