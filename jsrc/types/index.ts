/**
 * The service's events and payloads as types: documented, observed and assumed fields apart, so that an editor
 * shows at every field what is promised.
 */
import type { CartDetails, Currency } from "./assumed.ts";
import type { CartParam, PriceParam, PriceUpdate } from "./documented.ts";
import type { CartTotals, Item, Page, Variant } from "./observed.ts";

export type { CartDetails, CartLine, Currency } from "./assumed.ts";
export type { CartParam, DocumentedVariant, PriceParam, PriceUpdate } from "./documented.ts";
export type { CartTotals, Item, Option, Page, Variant } from "./observed.ts";
export type { ContentHandler, InitContentHandler, ServiceGlobal, Subscriber } from "./service.ts";

/** A cart: two observed fields, everything else assumed and optional. */
export interface CartData extends CartTotals, CartDetails {}

/** The five events: what each one's event parameter and updatedItem are. Names are without the service's prefix. */
export interface Events {
  "content-after-price": { param: PriceParam<Item, Page>; update: never };
  "content-after-price-updated": { param: PriceParam<Item, Page>; update: PriceUpdate<Item, Variant> };
  "content-after-cart": { param: CartParam<CartData, Currency, Page>; update: never };
  "content-after-checkout": { param: CartParam<CartData, Currency, Page>; update: never };
  "content-after-checkout-updated": { param: CartParam<CartData, Currency, Page>; update: CartData };
}

/** A JSON object of unknown shape. */
export type Json = Record<string, unknown>;
