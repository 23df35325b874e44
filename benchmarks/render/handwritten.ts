/** The cart as an experienced developer writes it by hand, with the very escape function that awning ships for it. */

import { escapeText } from "awning/escape";
import type { Cart } from "./cart.ts";

const text = (value: unknown): string => escapeText(String(value));

export default function render(cart: Cart): string {
  let out = '<ul class="cart">';
  for (const line of cart.lines) {
    out += '<li class="line" data-sku="' + text(line.sku) + '"><b>' + text(line.title) + "</b>";
    if (line.options) out += " <span>" + text(line.options) + "</span>";
    out += " <i>" + text(line.quantity) + " × " + text(line.price) + "</i> <em>" + text(line.total) + "</em></li>";
  }
  return out + "</ul><p>" + text(cart.count) + " · " + text(cart.total) + "</p>";
}
