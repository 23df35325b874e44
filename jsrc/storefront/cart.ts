/**
 * Changes of the cart without a page load (observed): a product that is added, a changed quantity, a removed line. The
 * shop sends the new HTML of the cart and the side cart, and the page replaces both. The containers in them are new, so
 * it creates a new host, possibly with two containers.
 */
import type { Page } from "../types/index.ts";
import type { CartTotals } from "../types/observed.ts";

type Params = { cartData: CartTotals; currency: unknown; page: Page };

/** What the shop sends. `hosts` are those of the cart's slots whose event is fired. */
interface Changed {
  cart: string;
  pieces: number;
  announced: string;
  html: Record<"cart" | "side", string>;
  hosts: Array<{ container: string; event: string; params: Params }>;
}

type Replace = (element: Element, html: string) => void;
type Host = (container: string, event: string, params: Params) => void;

/** Shows a cart, as an address names it. Resolves to whether the page shows it now. */
export type ShowCart = (cart: string) => Promise<boolean>;

/**
 * Handle changes of the cart in place, if the page says so. Otherwise its forms and links load a page. Returns what
 * shows another cart in place: a shop also does that for what a shopper does elsewhere.
 */
export function watchCart(replace: Replace, host: Host): ShowCart {
  const address = document.body.dataset.cartChanges;
  if (!address) return () => Promise.resolve(false);
  let present = new URL(address, location.href).searchParams.get("cart");
  let queue = Promise.resolve(false);
  let pending = 0;

  /** Each change begins with the cart that the former one has left, even if that one has failed, or with `cart`. */
  const change = (wanted: Iterable<[string, FormDataEntryValue]>, cart?: string): Promise<boolean> => {
    wait(1);
    const changed = queue.catch(() => false).then(async () => {
      const url = new URL(address, location.href);
      for (const [name, value] of wanted) url.searchParams.set(name, String(value));
      const before = cart ?? present;
      if (before !== null) url.searchParams.set("cart", before);
      const changed = await send(url);
      if (!changed) return false;
      present = changed.cart;
      show(changed);
      return true;
    });
    return (queue = changed.finally(() => wait(-1)));
  };

  /** Mark the cart while changes are under way: for screen readers and for tests. */
  const wait = (count: number): void => {
    pending += count;
    const cart = document.querySelector("[data-cart]");
    if (pending) cart?.setAttribute("aria-busy", "true");
    else cart?.removeAttribute("aria-busy");
  };

  const show = (changed: Changed): void => {
    const [cart, side] = [document.querySelector("[data-cart]"), document.querySelector<HTMLElement>("[data-side-cart]")];
    const focused = cart?.contains(document.activeElement) ? document.activeElement?.getAttribute("aria-label") : null;
    if (cart) replace(cart, changed.html.cart);
    // The side cart opens on pages without a cart.
    if (side && (!cart || !side.hidden)) {
      replace(side, changed.html.side);
      side.hidden = false;
    }
    carry(changed, new URL(address, location.href).pathname);
    for (const { container, event, params } of changed.hosts) host(container, event, params);
    if (!cart) side?.focus();
    else if (focused) labelled(cart, focused).focus();
  };

  document.addEventListener("submit", (submit) => {
    const form = submit.target as HTMLFormElement;
    if (submit.defaultPrevented || !form.matches("[data-quantity], [data-buy]")) return;
    submit.preventDefault();
    void change(new FormData(form));
  });
  document.addEventListener("click", (click) => {
    const link = (click.target as Element).closest<HTMLAnchorElement>("[data-cart] .line-remove");
    if (!link || click.defaultPrevented || click.metaKey || click.ctrlKey || click.shiftKey) return;
    click.preventDefault();
    void change(new URL(link.href).searchParams);
  });
  watchSideCart();
  return (cart) => change([], cart);
}

/** Return the shop's response; undefined when the shop cannot be reached or refuses. The page then stays unchanged. */
async function send(url: URL): Promise<Changed | undefined> {
  try {
    const response = await fetch(url);
    return response.ok ? ((await response.json()) as Changed) : undefined;
  } catch {
    return undefined;
  }
}

/** Return the control of the new cart with the label of the one that had the focus; without one, the page's content. */
function labelled(cart: Element, label: string): HTMLElement {
  const controls = [...cart.querySelectorAll<HTMLElement>("[aria-label]")];
  return controls.find((control) => control.getAttribute("aria-label") === label) ?? (document.querySelector("main") as HTMLElement);
}

function watchSideCart(): void {
  const side = document.querySelector<HTMLElement>("[data-side-cart]");
  const close = (): void => {
    if (!side || side.hidden) return;
    side.hidden = true;
    document.querySelector<HTMLElement>("[data-add]")?.focus();
  };
  document.addEventListener("click", (click) => {
    if ((click.target as Element).closest("[data-close-cart]")) close();
  });
  side?.addEventListener("keydown", (key) => {
    if (key.key === "Escape") close();
  });
}

/** Put the new cart into the page's address, links and forms, and its number of pieces into the header. */
function carry({ cart, pieces, announced }: Changed, address: string): void {
  const website = address.split("/", 2).join("/");
  const own = new URL(location.href);
  own.searchParams.set("cart", cart);
  history.replaceState(history.state, "", own);
  for (const link of document.querySelectorAll<HTMLAnchorElement>("header a[href], main a[href]")) {
    if (!link.getAttribute("href")?.startsWith(`${website}/`) || link.closest("[data-order], [data-cart]")) continue;
    const url = new URL(link.href);
    url.searchParams.set("cart", cart);
    link.href = `${url.pathname}${url.search}`;
  }
  const count = document.querySelector<HTMLElement>(".basket-count");
  const digits = document.querySelector("[data-pieces]");
  if (count) count.hidden = !pieces;
  if (digits) digits.textContent = String(pieces);
  const announcement = document.querySelector("[data-cart-announce]");
  if (announcement) announcement.textContent = announced;
}
