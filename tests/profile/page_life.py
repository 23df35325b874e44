"""JavaScript that fires every event on a small page, and reads the violations that the emulator found."""

FIRE = """
const page = { language: "en", page: "catalog" };
const variant = (id, price, stock) => ({ id, options: [{ title: "S" }], price, price_undiscounted: price, sku: "",
  stock, weight: null });
const variants = [variant("11", 19.9, 4), variant("12", 22.9, 1)];
const items = [
  { id: "1", name: "Linen", sku: "", brand: "", category: "a/b", price: 21, price_undiscounted: 21, currency: "EUR",
    weight: 180, stock: 4, variants },
  { id: "3", name: "Gift", sku: "", brand: "", category: "a", price: 5, price_undiscounted: 5, currency: "EUR",
    weight: 0, stock: null, variants: [] },
  { id: "4", name: "Wool", sku: "", brand: "", category: "a", price: 9, price_undiscounted: 9, currency: "EUR",
    weight: 90, stock: 2, variants: [variant("41", 9, 2)] },
];
const cart = { cartData: { total: 63.8, total_no_discount: 63.8, items: [] }, currency: { code: "EUR" }, page };
const host = (event, params) => awningEmulator.host("#box", event, params);
const settle = () => new Promise((done) => setTimeout(() => setTimeout(() => setTimeout(done, 4), 0), 0));
window.settled = (async () => {
  await new Promise((done) => addEventListener("load", done));
  for (const item of items) {
    host("svc-content-after-price", { item, page });
    for (const selectedVariant of item.variants) {
      const update = { item, selectedVariant, selectedVariantId: selectedVariant.id };
      awningEmulator.fire("svc-content-after-price-updated", update);
    }
    await settle();
  }
  host("svc-content-after-cart", cart);
  host("svc-content-after-checkout", cart);
  awningEmulator.fire("svc-content-after-checkout-updated", { total: 57.42, total_no_discount: 63.8 });
  await settle();
})();
"""
RESULT = "awningEmulator.trace().filter((one) => one.kind === 'violation').map((one) => one.detail)"
