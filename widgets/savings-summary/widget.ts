// How much does a discount save? A raw script: it calls the service itself, and does by hand what awning's runtime does
// for other widgets. Comments say which rule a line keeps.
import { money, type CartTotals, type ContentHandler, type Currency } from "awning";
import { texts } from "./texts";
import view from "./view.html.j2";

const CHECKOUT = "svc-content-after-checkout";

let block: ContentHandler<unknown> | undefined;
let currency: Currency = {};
let language = "";
let current = "";
let early: CartTotals | undefined;

/** Show the saving of a cart. A total may be 0, so no total is tested for its truth. */
const show = ({ total, total_no_discount }: CartTotals): void => {
  const saved = money(total_no_discount - total, currency);
  const isSaving = total_no_discount > total && saved !== money(0, currency);
  const [some, all] = texts[language] ?? texts["en"];
  const text = isSaving ? (total > 0 ? some : all).replace("{amount}", () => saved) : "";
  // An update that changes nothing touches nothing, and a block that never has content never enters the page.
  if (text !== current) {
    current = text;
    put(text);
  }
};

/** The template escapes the text: a currency may have any symbol. A page with Trusted Types takes no string. */
const put = (text: string): void => {
  try {
    block?.setContent(text && view({ text }));
  } catch {
    const element = document.createElement("div");
    element.className = text && "savings-summary";
    element.textContent = text;
    block?.setContent(element);
  }
};

/** An exception would keep the apps after this one from being called. */
const guarded = (work: () => void): void => {
  try {
    work();
  } catch (error) {
    console.error("savings-summary", error);
  }
};

svcPlugins.subscribeEvent(CHECKOUT, (_event, initContentHandler, param) =>
  guarded(() => {
    // Called once, and before anything else: the place of the block depends on it.
    block = initContentHandler();
    ({ currency = {} } = param);
    ({ language } = param.page);
    current = "";
    show(early ?? param.cartData);
  }),
);

svcPlugins.subscribeEvent(`${CHECKOUT}-updated`, (_event, _initContentHandler, _param, cart) =>
  guarded(() => {
    // `_param` still has the cart of the page load, `cart` the new one. An update may come before its base event.
    early = cart;
    if (block) show(cart);
  }),
);
