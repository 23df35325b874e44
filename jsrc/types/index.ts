/**
 * The service's events and payloads as types. Documented, observed and assumed fields are separate, so that an editor
 * shows how certain each field is.
 */
export type * from "./assumed.ts";
export type * from "./documented.ts";
export type * from "./events.ts";
export type * from "./observed.ts";
export type { ContentHandler, InitContentHandler, ServiceGlobal, Subscriber } from "./service.ts";
export type { Delivered, TypedGlobal } from "./subscribing.ts";

/** A JSON object of unknown shape. */
export type Json = Record<string, unknown>;
