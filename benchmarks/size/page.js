/** Runs in the page before a snippet's script. Fires the service's events, and records the content after each. */

const heard = {};
globalThis.svcPlugins = { subscribeEvent: (name, callback) => (heard[name] = callback) };

const ITEM = { id: "1", name: "T-shirt", price: 80, price_undiscounted: 100, weight: 200, stock: null, currency: "EUR" };
const PARAMS = { item: ITEM, page: { language: "lv", page: "catalog" } };
const variant = (price, stock, ...titles) => ({
  id: "2", price, price_undiscounted: 100, weight: null, stock, options: titles.map((title) => ({ title })),
});
const UPDATES = [
  variant(70, 2, "M", "<b>red</b> & \"blue\""),
  variant(100, 2, "L"),
  variant(70, 9, "L"),
  null,
];

/** Returns the HTML in the widget's own element after the base event and each update, without comments. */
globalThis.scene = () => {
  const container = document.createElement("div");
  const setContent = (content) => {
    container.replaceChildren();
    if (typeof content == "string") container.innerHTML = content;
    else container.append(content);
  };
  const shown = () => {
    const root = container.querySelector("[class^=saving-], [class^=aw-]");
    return root ? root.innerHTML.replace(/<!--.*?-->/g, "") : "";
  };
  const init = () => ({ setContent });
  heard["svc-content-after-price"]({}, init, PARAMS);
  const scenes = [shown()];
  for (const selectedVariant of UPDATES) {
    heard["svc-content-after-price-updated"]({}, init, PARAMS, { selectedVariant });
    scenes.push(shown());
  }
  return scenes;
};
