"""JavaScript with which a small page acts like a storefront's page, and the type of the fixture `snippet`."""

from collections.abc import Callable

Snippet = Callable[..., str]
"""The fixture `snippet` of tests/runtime: a widget's source in, the script of its snippet out."""

SHOP = """
const PRICE = "svc-content-after-price", CHECKOUT = "svc-content-after-checkout", CART = "svc-content-after-cart";
const item = {
  id: "1", name: "Linen T-shirt", sku: "T", brand: "", category: "Shirts", price: 21, price_undiscounted: 21,
  currency: "EUR", weight: 180, stock: null,
  variants: [
    { id: "2", options: [{ title: "S" }], price: 19.9, price_undiscounted: 19.9, sku: "T-S", stock: 4, weight: null },
    { id: "3", options: [{ title: "L" }], price: 22.9, price_undiscounted: 22.9, sku: "T-L", stock: 0, weight: 210 },
  ],
};
const page = { language: "en", page: "catalog" };
const cartData = { total: 67.3, total_no_discount: 67.3 };
const currency = { code: "EUR", symbol: "€" };
const box = () => document.getElementById("box");
const product = (change) => awningEmulator.host("#box", PRICE, { item: { ...item, ...change }, page });
const select = (id) => awningEmulator.fire(PRICE + "-updated", {
  item, selectedVariantId: id, selectedVariant: item.variants.find((variant) => variant.id === id) ?? null });
const cart = () => awningEmulator.host("#box", CART, { cartData, currency, page });
const checkout = () => awningEmulator.host("#box", CHECKOUT, { cartData, currency, page });
const total = (amount) => awningEmulator.fire(CHECKOUT + "-updated", { total: amount, total_no_discount: 67.3 });
const afterReady = (work) => addEventListener("load", work);
const turn = () => new Promise((done) => setTimeout(done, 0));
"""
