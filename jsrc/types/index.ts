/**
 * The service's events and payloads as types. Documented, observed and assumed fields are separate, so that an editor
 * shows how certain each field is.
 */
export type { CartDetails, CartLine, Currency } from "./assumed.ts";
export type { CartParam, DocumentedVariant, PriceParam, PriceUpdate } from "./documented.ts";
export type { CartData, Events } from "./events.ts";
export type { CartTotals, Item, Option, Page, Variant } from "./observed.ts";
export type { ContentHandler, InitContentHandler, ServiceGlobal, Subscriber } from "./service.ts";
export type { Delivered, TypedGlobal } from "./subscribing.ts";

/** A JSON object of unknown shape. */
export type Json = Record<string, unknown>;
