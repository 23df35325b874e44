const memo = {};
const once = (key, f) => (key in memo ? memo[key] : (memo[key] = f()));
svcPlugins.subscribeEvent("svc-content-after-cart", (e, init) => {
  once("cart", () => init()).setContent("<p>1</p>");
  once("cart", init).setContent("<p>2</p>");
});
