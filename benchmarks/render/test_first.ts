/**
 * The cart by hand, with the escaping of most template engines: a test, then one replace with a table.
 * It shares nothing with handwritten.ts, so that the engine optimizes each of them alone.
 */

import type { Cart } from "./cart.ts";

const TABLE: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;" };
const SPECIAL = /[&<>"']/;
const SPECIALS = /[&<>"']/g;

const escape = (text: string): string =>
  SPECIAL.test(text) ? text.replace(SPECIALS, (found) => TABLE[found] as string) : text;

const text = (value: unknown): string => escape(String(value));

export default function render(cart: Cart): string {
  let out = '<ul class="cart">';
  for (const line of cart.lines) {
    out += '<li class="line" data-sku="' + text(line.sku) + '"><b>' + text(line.title) + "</b>";
    if (line.options) out += " <span>" + text(line.options) + "</span>";
    out += " <i>" + text(line.quantity) + " × " + text(line.price) + "</i> <em>" + text(line.total) + "</em></li>";
  }
  return out + "</ul><p>" + text(cart.count) + " · " + text(cart.total) + "</p>";
}
