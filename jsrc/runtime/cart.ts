import type { CartData, CartParam, Currency, Page } from "../types/index.ts";
import type { Common, Insert, Render, Slot } from "./slot.ts";

/** What a widget of the cart or checkout page renders from. */
export interface CartArgs extends Common {
  /** The cart as it is now. Only `total` and `total_no_discount` are known to be there. */
  cart: CartData;
  /** How prices are displayed. */
  currency: Currency;
}

// On -updated the event parameter still holds the cart of the page load: the update is the fresh one.
const slot = (event: string, render: Render<CartArgs>, insert?: Insert): Slot => [
  event,
  (common, param: CartParam<CartData, Currency, Page>, update: CartData | undefined) =>
    render({ ...common, cart: update ?? param.cartData, currency: param.currency }),
  insert,
] as Slot;

/** A widget below the item list of the cart. */
export const afterCart = (render: Render<CartArgs>, insert?: Insert): Slot => slot("cart", render, insert);

/** A widget below the item list of the checkout, called again when the total changes. */
export const afterCheckout = (render: Render<CartArgs>, insert?: Insert): Slot => slot("checkout", render, insert);
