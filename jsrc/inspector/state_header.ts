/** The header of a state's page that is opened alone: what the page shows, and the way to other pages. */
import { h } from "./element.ts";

/** What the page says of its state, as `harness/awning_harness/dev/gallery.py` writes it. */
interface About {
  title: string;
  name: string;
  widget: string;
  /** The file of the state, with its line. */
  place: string;
  gallery: string;
  shop: string;
  /** The page of the shop with the state's payload; null when the store does not have it. */
  page: string | null;
  pageTitle: string;
}

/** Make the header from the JSON text of an `About`. */
export function makeStateHeader(text: string): HTMLElement {
  const about = JSON.parse(text) as About;
  const mark = document.querySelector<HTMLLinkElement>("link[rel=icon]")?.href ?? "";
  return h(
    "div",
    { class: "state-header", role: "banner" },
    h(
      "nav",
      { "aria-label": "awning dev" },
      h("a", { class: "state-brand", href: "/" }, h("img", { src: mark, alt: "", width: "26", height: "26" }), "awning dev"),
      h("a", { href: "/" }, "Pages"),
      h("a", { href: "/_awning/gallery" }, "Gallery"),
      h("a", { href: about.shop }, "Shop"),
    ),
    h("h1", {}, about.title),
    h(
      "p",
      {},
      h("span", {}, `${about.widget} · ${about.name}`),
      h("code", {}, about.place),
      h("a", { href: about.gallery }, "In the gallery"),
      about.page !== null && h("a", { href: about.page }, about.pageTitle),
    ),
  );
}
