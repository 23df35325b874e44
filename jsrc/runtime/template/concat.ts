import { Markup, html } from "./markup";
import { str } from "./text";

/** The operator `~`: a text; Markup if a part is Markup, and then the other parts are escaped. */
export const concat = (...parts: unknown[]): unknown =>
  parts.some((part) => part instanceof Markup) ? new Markup(parts.map(html).join("")) : parts.map(str).join("");
