/** What a shop's page does by itself, one move at a time: its events, in any order, and what the browser does to it. */

/** The source of an update's fourth argument: the index of a variant, or the argument itself, such as a cart. */
export type Update = { variant: number } | { value: unknown };

/**
 * page     the page's own events, as it fires them
 * base     the base event alone
 * update   an update of the base event
 * early    an update whose base event the page has not fired
 * times    the event `of`, this many times
 * replaced  replace the HTML of the cart in place, with a new host, as the page does when the cart changes
 * restored  leave the page and return to it, as the browser keeps it in its back-forward cache
 */
export type PageMove = "page" | "base" | "replaced" | "restored" | { update: Update } | { early: Update } | { times: number; of: "base" | Update };

const KINDS = ["page", "base", "replaced", "restored", "update", "early", "times"];

/** Whether a move is one of the page itself, and not a look or an action of a shopper. */
export function isPageMove(move: string | object): move is PageMove {
  return KINDS.some((kind) => (typeof move === "string" ? kind === move : kind in move));
}

/** The globals of a page of the simulated shop. */
export type ShopPage = Window &
  typeof globalThis & {
    awningEmulator: {
      host(container: string, event: string, params: unknown): void;
      fire(event: string, updatedItem: unknown): void;
    };
    awningStorefront: { host(container: string, event: string, params: unknown): void };
    jQuery: (argument: unknown) => { trigger(event: string, values: unknown[]): void; html(html: string): void };
  };

/** What a page passes to `awningStorefront.host`, and the HTML of its cart at that time, before any snippet has run. */
export interface Created {
  container: string;
  event: string;
  params: Record<string, unknown>;
  cart: string;
}

const CART = "[data-cart]";

export function created(page: ShopPage, container: string, event: string, params: Record<string, unknown>): Created {
  return { container, event, params, cart: page.document.querySelector(CART)?.innerHTML ?? "" };
}

export function makePageMove(page: ShopPage, host: Created, move: PageMove): void {
  const { container, event } = host;
  if (move === "page") {
    page.awningStorefront.host(container, event, host.params);
  } else if (move === "base") {
    page.awningEmulator.host(container, event, host.params);
  } else if (move === "replaced") {
    page.jQuery(CART).html(host.cart);
    host.params = own(page, host.params) as Record<string, unknown>;
    makePageMove(page, host, "page");
  } else if (move === "restored") {
    for (const type of ["pagehide", "pageshow"]) page.dispatchEvent(new page.PageTransitionEvent(type, { persisted: true }));
  } else if ("update" in move) {
    page.awningEmulator.fire(`${event}-updated`, updatedItem(page, host.params, move.update));
  } else if ("early" in move) {
    const refuse = (): never => {
      throw new Error("initContentHandler: not for an -updated event");
    };
    const values = [refuse, host.params, updatedItem(page, host.params, move.early)];
    page.jQuery(() => page.jQuery(page.document).trigger(`${event}-updated`, values));
  } else {
    for (let made = 0; made < move.times; made++) makePageMove(page, host, move.of === "base" ? "base" : { update: move.of });
  }
}

/**
 * Return the updatedItem of an `-updated` event: a copy of the cart, or an object with the chosen variant, whose `item`
 * is the same object as in the event parameter (observed).
 */
export function updatedItem(page: ShopPage, params: Record<string, unknown>, update: Update): unknown {
  if ("value" in update) return own(page, update.value);
  const item = params["item"] as { variants?: Array<{ id: string }> };
  const variants = item.variants ?? [];
  const selectedVariant = variants.length ? variants[update.variant % variants.length] : null;
  return { item, selectedVariantId: selectedVariant?.id ?? null, selectedVariant };
}

/** Return a copy of a value whose objects are of the page. */
export function own(page: ShopPage, value: unknown): unknown {
  return page.JSON.parse(JSON.stringify(value)) as unknown;
}
