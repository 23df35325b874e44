/** Runs in the page before a widget's script: the service, a product, and what becomes of both. */

const heard = {};
const logged = [];
let writes = 0, written = "", thrown = 0, later, refuse = false, absent = false, known;
self.svcPlugins = { subscribeEvent: (name, callback) => (heard[name] = callback) };
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

/** A host in `container`, as the service makes one. */
const host = (container) => () => {
  if (absent) throw new Error("absent");
  return {
    setContent(content) {
      if (refuse) throw new Error("refused");
      if (typeof content == "string") container.innerHTML = content;
      else container.replaceChildren(content);
      written = container.firstChild ? `${content}` : "";
      writes++;
    },
  };
};
const deliver = (...all) => {
  try {
    heard[all.shift()]({}, ...all);
  } catch {
    thrown++;
  }
};
const fire = (container = box, params = PARAMS) => deliver(EVENT, host(container), params);
const update = (selectedVariant) => deliver(`${EVENT}-updated`, host(box), PARAMS, { selectedVariant });

/** What is saved, as a shopper reads it. */
const shown = (container = box) => container.querySelector("b")?.textContent.replace("Ietaupiet ", "") ?? "";

/** Names on the window since `mark()`. */
const mark = () => (known = Object.getOwnPropertyNames(self));
const named = () => Object.getOwnPropertyNames(self).filter((name) => !known.includes(name));
