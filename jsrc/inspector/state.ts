/**
 * The JavaScript of awning on the page of one state. It plays the responses of other hosts, and shows each error of the
 * widget on a card. A page that is opened alone has a header; one in the gallery tells the gallery what to show. A page of
 * the dev server reports errors to it; when it is opened alone, it also shows the problems of the build and follows the
 * builds. A written page has no server, and so no revision.
 */
import { h } from "./element.ts";
import { makeErrorCards } from "./error_cards.ts";
import { listenForFailures, type Thrown } from "./failures.ts";
import { makeOverlay } from "./overlay.ts";
import { makeStateHeader } from "./state_header.ts";
import { listen, tellThrown, type Here, type Message } from "./server.ts";
import { tellShown } from "./shown.ts";
import { playReplies } from "./state_answers.ts";
import { STYLE } from "./style.ts";

const { language = "", revision, unit = "", state = "", about = "{}", site = "{}", answers = "{}", whole } = document.currentScript?.dataset ?? {};
const here: Here = { revision: Number(revision), language };
const isServed = revision !== undefined;
const isAlone = window.parent === window;
document.documentElement.toggleAttribute("data-alone", isAlone);
playReplies(answers);

/** Errors that happen before the page is parsed. */
const early: Thrown[] = [];
let add = (thrown: Thrown): void => void early.push(thrown);
listenForFailures((thrown) => add(thrown));

/** Make an element with a shadow root that has the inspector's style. Its texts are English in a page of any language. */
function makeHost(name: string): { host: HTMLElement; root: ShadowRoot } {
  const host = document.createElement(name);
  host.lang = "en";
  const root = host.attachShadow({ mode: "open" });
  root.append(h("style", {}, STYLE));
  return { host, root };
}

/** Return the error with the widget as the unit of its place: this page has the snippet of the widget alone. */
function located({ origin, ...thrown }: Thrown): Thrown {
  return { ...thrown, origin: origin && { ...origin, unit } };
}

/** Show what the page is, above the state. */
function showHeader(): void {
  const { host, root } = makeHost("awning-state");
  root.append(makeStateHeader(about, site));
  document.body.prepend(host);
}

/** Show the cards above the state, or below it in a frame of the gallery, which shows only the slot. */
function showCards(): void {
  const cards = makeErrorCards({ where: isAlone ? `threw in the state "${state}"` : "threw", isBrief: !isAlone });
  const { host, root } = makeHost("awning-errors");
  root.append(h("div", { class: isAlone ? "state-errors" : "state-errors is-brief" }, cards.element));
  const show = (thrown: Thrown): void => {
    // The element is inserted only for an error, so that the page of a healthy widget does not change.
    if (!host.isConnected) {
      if (isAlone) document.querySelector("main")?.before(host);
      else document.querySelector("[data-stage]")?.append(host);
    }
    const locate = cards.add(thrown);
    if (isServed) void tellThrown(here, located(thrown), state).then((place) => place && locate(place));
  };
  add = show;
  early.splice(0).forEach(show);
}

/** Load the page again when the build changes, and show the problems of the build. */
function follow(): void {
  const { host, root } = makeHost("awning-overlay");
  document.documentElement.append(host);
  const overlay = makeOverlay(root);
  listen(here, (message: Message) => {
    const failure = "failure" in message ? message.failure : null;
    if ("revision" in message && message.revision !== here.revision) location.reload();
    else if (failure) overlay.show(failure);
    else overlay.hide();
  });
}

document.addEventListener("DOMContentLoaded", () => {
  if (isAlone) showHeader();
  showCards();
  if (isAlone && isServed) follow();
});
if (!isAlone) addEventListener("load", () => tellShown(whole !== undefined));
