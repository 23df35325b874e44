// What goes well with the cart? The shop's suggestions, those for products in the cart first. Only the totals of a cart
// are certain. If its lines are missing, all suggestions may be shown, in the shop's order.
import { afterCart, money } from "awning";
import type { Data } from "./data.schema";
import view from "./view.html.j2";

type Suggestion = Data["suggestions"][number];

export default afterCart<Data>(({ cart, currency, language, data, t }) => {
  const inCart = cart.items?.map(({ id }) => id);

  /** How many products of the cart a suggestion is for. Below 0: it does not suit the language or the cart. */
  const fit = ({ language: only, product, beside }: Suggestion): number => {
    const others = [beside ?? []].flat();
    const matches = others.filter((id) => inCart?.includes(id)).length;
    const suits = (!only || only === language) && !(product && inCart?.includes(product));
    return suits && (matches || !others.length || !inCart) ? matches : -1;
  };

  // Another tool may have stored something else than a list of suggestions.
  const products = [data.suggestions ?? []]
    .flat()
    .filter((suggestion) => suggestion?.name && suggestion.address && fit(suggestion) >= 0)
    .sort((a, b) => fit(b) - fit(a))
    .slice(0, data.most)
    .map(({ name, address, picture, price, currency: own }) => ({
      name,
      address,
      picture,
      initial: [...`${name}`][0],
      // A price in another currency than the cart's is left out. If a cart names no currency, the price keeps its own.
      price: currency.code ? (own ?? currency.code) === currency.code && money(price, currency) : money(price, own),
    }));
  return products.length ? view({ t, products }) : "";
});
