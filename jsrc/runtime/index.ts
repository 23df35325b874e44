/**
 * `awning`: what the author of a widget imports.
 */
export { afterPrice, type PriceArgs } from "./price.ts";
export { afterCart, afterCheckout, type CartArgs } from "./cart.ts";
export type { Common, Insert, Render, Rendered, Slot } from "./slot.ts";
export type { Translate, TextArguments } from "./messages.ts";
export type * from "../types/index.ts";
