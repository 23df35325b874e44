/**
 * The shop's own JavaScript, loaded in the head after the emulator. A page's inline script creates its host with
 * `awningStorefront.host`. The rest handles the shopper's actions: a variant, a quantity, a code, a way of shipping.
 */
import type { CartTotals, Page } from "../types/observed.ts";
import { watchCheckout } from "./checkout.ts";
import { hostProduct, watchProduct, type ProductParams } from "./product.ts";
import { watchSteppers } from "./quantity.ts";

type Params = ProductParams | { cartData: CartTotals; currency: unknown; page: Page };

const hosts = new Map<string, Params>();

/** Create the host of this page (observed: an inline script after the container does this). */
function host(container: Element, event: string, params: Params): void {
  hosts.set(event, params);
  awningEmulator.host(container, event, params);
  if ("item" in params) hostProduct(event, params);
}

function ready(): void {
  watchSteppers();
  for (const [event, params] of hosts) {
    if ("item" in params) watchProduct(event, params);
    else watchCheckout(event, params.cartData);
  }
}

Object.defineProperty(globalThis, "awningStorefront", { value: Object.freeze({ host }) });
document.addEventListener("DOMContentLoaded", ready);
