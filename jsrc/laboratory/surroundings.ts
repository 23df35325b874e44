/** Describes the page outside of the slots, so that two pages can be compared. */
import type { Frame } from "./frame.ts";

const STYLES = [
  "display", "color", "backgroundColor", "fontFamily", "fontSize", "fontWeight", "fontStyle", "lineHeight", "letterSpacing", "textTransform",
  "textAlign", "textDecorationLine", "padding", "borderWidth", "borderColor", "position", "float", "cursor", "opacity", "visibility",
  "boxSizing", "listStyleType", "overflow",
] as const;

/** Each element outside of the slots with its attributes and style, in parts divided by `|`, and the page's title without the shop's name. */
export function surroundingsIn(frame: Frame): string[] {
  const { document } = frame;
  const elements = [document.documentElement, document.body, ...document.body.querySelectorAll("*")];
  const outside = elements.filter((element) => !element.closest("script, style, template, link, [id^=content-], [data-awning]"));
  return [`title|${document.title.split(" – ")[0] ?? ""}`, ...outside.map((element) => describe(frame, element))];
}

function describe(frame: Frame, element: Element): string {
  const style = frame.getComputedStyle(element);
  const attributes = [...element.attributes].filter(isSteady).map(({ name, value }) => `${name}="${value}"`);
  const name = `<${[element.localName, ...attributes].join(" ")}>`.replace(/\|/g, "/");

  const margin = element.computedStyleMap().getAll("margin-top").concat(element.computedStyleMap().getAll("margin-left"));
  return [name, `margin: ${margin.join(" ")}`, ...STYLES.map((property) => `${property}: ${style[property as "color"].replace(/\|/g, "/")}`)].join("|");
}

/** The addresses of the shop have the number of the website. */
function isSteady({ name }: Attr): boolean {
  return !["href", "action", "data-quote", "nonce"].includes(name);
}
