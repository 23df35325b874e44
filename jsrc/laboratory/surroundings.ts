/** Describes the page outside of the slots, so that two pages can be compared. */
import type { Frame } from "./frame.ts";

const STYLES = [
  "display", "color", "backgroundColor", "fontFamily", "fontSize", "fontWeight", "fontStyle", "lineHeight", "letterSpacing", "textTransform",
  "textAlign", "textDecorationLine", "padding", "borderWidth", "borderColor", "position", "float", "cursor", "opacity", "visibility",
  "boxSizing", "listStyleType", "overflow",
] as const;

/** Elements that other pages of the shop and other apps may have. A style rule for such an element affects them, too. */
const USUAL = [
  "a", "article", "aside", "b", "blockquote", "button", "code", "dd", "details", "div", "dl", "dt", "em", "fieldset", "figure", "footer", "form",
  "h1", "h2", "h3", "h4", "header", "hr", "i", "img", "input", "label", "legend", "li", "main", "nav", "ol", "p", "pre", "section", "select",
  "small", "span", "strong", "summary", "svg", "table", "td", "textarea", "th", "tr", "ul",
] as const;

/**
 * Describe the page outside of the slots: the title without the shop's name, what is chosen in the shop, each element with
 * its attributes and style, and the usual elements as they would look in the page's body. The parts of each description
 * are separated by `|`.
 */
export function surroundingsIn(frame: Frame): string[] {
  const { document } = frame;
  const elements = [document.documentElement, document.body, ...document.body.querySelectorAll("*")];
  const outside = elements.filter((element) => !element.closest("script, style, template, link, [class^=placeholder-], [data-awning]"));
  return [`title|${document.title.split(" – ")[0] ?? ""}`, chosenIn(outside), ...outside.map((element) => describe(frame, element)), ...usualIn(frame)];
}

/** Describe what the shop itself changes when something is chosen or bought: variant, discount code, cart. */
function chosenIn(outside: Element[]): string {
  const values = outside.filter((element) => element.matches("[data-variant], [data-order-code]")) as HTMLInputElement[];
  return ["chosen", ...values.map(({ value }) => value), outside.filter((element) => element.closest("[data-cart]")).length].join("|");
}

function usualIn(frame: Frame): string[] {
  const { document } = frame;
  const place = document.createElement("div");
  place.hidden = true;
  place.append(...USUAL.map((name) => document.createElement(name)));
  document.body.append(place);
  const described = [...place.children].map((element) => describe(frame, element));
  place.remove();
  return described;
}

function describe(frame: Frame, element: Element): string {
  const style = frame.getComputedStyle(element);
  const attributes = [...element.attributes].filter(isSteady).map(({ name, value }) => `${name}="${value}"`);
  const name = `<${[element.localName, ...attributes].join(" ")}>`.replace(/\|/g, "/");

  const margin = element.computedStyleMap().getAll("margin-top").concat(element.computedStyleMap().getAll("margin-left"));
  return [name, `margin: ${margin.join(" ")}`, ...STYLES.map((property) => `${property}: ${style[property as "color"].replace(/\|/g, "/")}`)].join("|");
}

/**
 * Whether an attribute is the same on every website, and with an open dialog. The shop's addresses contain the website's
 * number. A dialog makes the rest of the page inert, or hides it from screen readers.
 */
function isSteady({ name }: Attr): boolean {
  return !["href", "action", "data-quote", "data-cart-changes", "nonce", "inert", "aria-hidden"].includes(name);
}
