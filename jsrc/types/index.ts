/**
 * The service's events and payloads as types: documented, observed and assumed fields apart, so that an editor
 * shows at every field what is promised.
 */
export type { CartDetails, CartLine, Currency } from "./assumed.ts";
export type { CartParam, DocumentedVariant, PriceParam, PriceUpdate } from "./documented.ts";
export type { CartData, Events } from "./events.ts";
export type { CartTotals, Item, Option, Page, Variant } from "./observed.ts";
export type { ContentHandler, InitContentHandler, ServiceGlobal, Subscriber } from "./service.ts";
export type { Delivered, TypedGlobal } from "./subscribing.ts";

/** A JSON object of unknown shape. */
export type Json = Record<string, unknown>;
