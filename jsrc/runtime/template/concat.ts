import { Markup, html } from "./markup";
import { str } from "./text";

/** Implements the operator `~`: joins the parts. If one is Markup, the others are escaped and the result is Markup. */
export const concat = (...parts: unknown[]): unknown =>
  parts.some((part) => part instanceof Markup) ? new Markup(parts.map(html).join("")) : parts.map(str).join("");
