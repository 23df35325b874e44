/**
 * The cards with errors that widgets throw. They are over the page and not in place of it, because a widget that fails
 * keeps its last good content. A card is removed when newer code of its widget is on the page.
 */
import { h } from "./element.ts";
import { excerptNodes } from "./excerpt.ts";
import type { Thrown } from "./failures.ts";
import { placeText, type AuthorPlace } from "./server.ts";

/** The most cards, because more would cover the page. The inspector lists all errors. */
const MOST_CARDS = 3;

export interface ErrorCards {
  element: HTMLElement;
  /** Show an error once, unless there are too many cards. Returns a function that adds the error's place to the card. */
  add(thrown: Thrown): (place: AuthorPlace) => void;
  /** Remove the cards of a widget; null for all. */
  clear(widget: string | null): void;
}

/** How cards look. A brief card has no source line and no button, and is not announced: there may be many of them. */
export interface CardStyle {
  /** The text in the tag of each card. */
  where: string;
  isBrief: boolean;
}

const ON_THE_PAGE: CardStyle = { where: "threw on this page", isBrief: false };

export function makeErrorCards({ where, isBrief }: CardStyle = ON_THE_PAGE): ErrorCards {
  const element = h("div", { class: "cards", role: isBrief ? "group" : "alert" });
  /** The errors that were shown, also those whose card is closed. */
  const cards = new Map<string, { widget: string; card: HTMLElement }>();
  return {
    element,
    add({ widget, message }) {
      const key = `${widget}\n${message}`;
      if (cards.has(key) || element.childElementCount >= MOST_CARDS) return () => {};
      const place = h("code", {}, widget);
      const excerpt = h("pre", { hidden: true });
      const close = h("button", { type: "button", class: "quiet", onclick: () => card.remove() }, "Close");
      const card = h(
        "section",
        { class: "card finding", "aria-label": `An error of ${widget}` },
        h("p", { class: "finding-place" }, place, h("span", { class: "tag" }, where), !isBrief && close),
        h("p", { class: "finding-message" }, message),
        excerpt,
      );
      cards.set(key, { widget, card });
      element.append(card);
      return (known) => {
        place.textContent = placeText(known);
        excerpt.replaceChildren(...excerptNodes(known.excerpt ?? "", known.column));
        excerpt.hidden = isBrief || known.excerpt === null;
      };
    },
    clear(widget) {
      for (const [key, { widget: owner, card }] of cards) {
        if (widget !== null && owner !== widget) continue;
        card.remove();
        cards.delete(key);
      }
    },
  };
}
