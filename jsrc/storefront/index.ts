/**
 * The shop's own JavaScript, loaded in the head after the emulator. A page's inline script creates its host with
 * `awningStorefront.host`; a replay shows a recorded cart with `awningStorefront.showCart`. The rest handles the shopper's actions: a variant, a quantity, a code, a way of shipping.
 */
import type { CartTotals, Page } from "../types/observed.ts";
import { type ShowCart, watchCart } from "./cart.ts";
import { watchCheckout } from "./checkout.ts";
import { watchProduct, type ProductParams } from "./product.ts";
import { watchSteppers } from "./quantity.ts";

type JQuery = (target: Element | (() => void)) => { html(html: string): void };
const { jQuery } = globalThis as { jQuery?: JQuery };

type Params = ProductParams | { cartData: CartTotals; currency: unknown; page: Page } | Record<string, never>;

const hosts = new Map<string, Params>();
let isReady = false;
let showCart: ShowCart = () => Promise.resolve(false);

/**
 * Create the host of this page in the elements that `container` matches (observed: an inline script after the container
 * does this).
 */
function host(container: string, event: string, params: Params): void {
  hosts.set(event, params);
  awningEmulator.host(container, event, params);
  // A product whose host comes after the page is shown with its first variant too.
  if (isReady && "item" in params) watchProduct(event, params as ProductParams);
}

function ready(): void {
  isReady = true;
  watchSteppers();
  showCart = watchCart((element, html) => jQuery?.(element).html(html), awningEmulator.host);
  for (const [event, params] of hosts) {
    if ("item" in params) watchProduct(event, params as ProductParams);
    else if ("cartData" in params) watchCheckout(event, params.cartData as CartTotals);
  }
}

Object.defineProperty(globalThis, "awningStorefront", { value: Object.freeze({ host, showCart: (cart: string) => showCart(cart) }) });
// The page's ready handler is registered before the host is made (observed). So the first update, which it fires, comes
// behind the ready handlers of apps.
if (jQuery) jQuery(ready);
else document.addEventListener("DOMContentLoaded", ready);
