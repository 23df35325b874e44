/** Runs in the page before a widget's script. Fires events with a product or a cart, and records content and errors. */

const heard = {};
const logged = [];
let writes = 0, written = "", thrown = 0, later, refuse = false, absent = false, known;
self.svcPlugins = { subscribeEvent: (name, callback) => (heard[name] ||= []).push(callback) };
console.error = (...all) => logged.push(all);

const EVENT = "svc-content-after-price";
const box = document.getElementById("box");
const second = document.getElementById("second");
const PARAMS = {
  item: { id: "1", name: "T-shirt", price: 80, price_undiscounted: 100, weight: 200, stock: null, currency: "EUR" },
  page: { language: "lv", page: "catalog" },
};
const BROKEN = { id: "3", price: 60, price_undiscounted: 100, weight: null, stock: null, options: null };
const variant = (price, title = "L") => ({ id: "2", price, price_undiscounted: 100, weight: null, stock: null, options: [{ title }] });

/** Returns `init` for a host in `container`. As with the service, its element exists as soon as there is content. */
const host = (container) => () => {
  if (absent) throw new Error("absent");
  let own;
  return {
    setContent(content) {
      if (refuse) throw new Error("refused");
      own ||= container.appendChild(document.createElement("div"));
      if (typeof content == "string") own.innerHTML = content;
      else own.replaceChildren(content);
      written = own.firstChild ? `${content}` : "";
      writes++;
    },
  };
};
const deliver = (name, ...all) => {
  for (const callback of heard[name] || []) {
    try {
      callback({}, ...all);
    } catch {
      thrown++;
    }
  }
};
const fire = (container = box, params = PARAMS) => deliver(EVENT, host(container), params);
const update = (selectedVariant) => deliver(`${EVENT}-updated`, host(box), PARAMS, { selectedVariant });

/** Returns the saved amount as a shopper reads it. */
const shown = (container = box) => container.querySelector("b")?.textContent.replace("Ietaupiet ", "") ?? "";

/** Names on the window since `mark()`. */
const mark = () => (known = Object.getOwnPropertyNames(self));
const named = () => Object.getOwnPropertyNames(self).filter((name) => !known.includes(name));

/** `cart` fires the cart's event, for an app with a widget in the cart. */
const EURO = { code: "EUR", symbol: "€" };
const cart = (total, currency = EURO, page = PARAMS.page) =>
  deliver("svc-content-after-cart", host(basket), { cartData: { total, total_no_discount: total }, currency, page });
const basket = document.getElementById("basket");

/** What a shopper reads in a container, and how full the bar is. */
const text = (container) => container.innerText.replace(/\s+/g, " ").trim();
const full = () => basket.querySelector("[role=progressbar] > *")?.style.width ?? "";
