/**
 * The events, and what each one delivers.
 *
 * Written from src/awning/contract/payloads.py by `python -m awning.contract.descriptions types`.
 */
import type { CartDetails, Currency } from "./assumed.ts";
import type { CartParam, PriceParam, PriceUpdate } from "./documented.ts";
import type { CartTotals, Item, Page, Variant } from "./observed.ts";

/** A cart: two observed fields, everything else assumed. */
export interface CartData extends CartTotals, CartDetails {}

/** Each event's parameter and updatedItem. Names are without the service's prefix. */
export interface Events {
  "content-after-price": { param: PriceParam<Item, Page>; update: never };
  "content-after-price-updated": { param: PriceParam<Item, Page>; update: PriceUpdate<Item, Variant> };
  "content-after-cart": { param: CartParam<CartData, Currency, Page>; update: never };
  "content-after-checkout": { param: CartParam<CartData, Currency, Page>; update: never };
  "content-after-checkout-updated": { param: CartParam<CartData, Currency, Page>; update: CartData };
}
