/**
 * `awning` for a widget whose one slot the build knows: it exports the render function itself, and the generated entry
 * says which slot that is for. Functions, not constants, so that the bundler drops the calls.
 */
import type { CartArgs } from "./cart.ts";
import type { PriceArgs } from "./price.ts";
import type { DataOfNoType, Render } from "./slot.ts";

export * from "./index.ts";

export function afterPrice<Data = DataOfNoType>(render: Render<PriceArgs<Data>>): Render<PriceArgs<Data>> {
  return render;
}

export function afterCart<Data = DataOfNoType>(render: Render<CartArgs<Data>>): Render<CartArgs<Data>> {
  return render;
}

export function afterCheckout<Data = DataOfNoType>(render: Render<CartArgs<Data>>): Render<CartArgs<Data>> {
  return render;
}
