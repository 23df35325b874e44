/** The header of a state's page that is opened alone: what the page shows, and the way to other pages. */
import { h } from "./element.ts";

type Link = [text: string, address: string];

/** What the page says of its state, as `harness/awning_harness/dev/gallery.py` and `gallery/writing.py` write it. */
interface About {
  title: string;
  name: string;
  widget: string;
  /** The file of the state, with its line. */
  place: string;
  links: Link[];
}

/** What the page belongs to: the dev server, or a written gallery. */
interface Site {
  name: string;
  home: string;
  nav: Link[];
}

const linkTo = ([text, address]: Link): HTMLElement => h("a", { href: address }, text);

/** Make the header from the JSON texts of an `About` and a `Site`. */
export function makeStateHeader(aboutText: string, siteText: string): HTMLElement {
  const about = JSON.parse(aboutText) as About;
  const site = JSON.parse(siteText) as Site;
  const names = [about.widget, about.name, document.documentElement.lang];
  const mark = document.querySelector<HTMLLinkElement>("link[rel=icon]")?.href ?? "";
  return h(
    "div",
    { class: "state-header", role: "banner" },
    h(
      "nav",
      { "aria-label": site.name },
      h("a", { class: "state-brand", href: site.home }, h("img", { src: mark, alt: "", width: "26", height: "26" }), site.name),
      ...site.nav.map(linkTo),
    ),
    h("h1", {}, about.title),
    h("p", {}, h("span", {}, names.join(" · ")), h("code", {}, about.place), ...about.links.map(linkTo)),
  );
}
