svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item }) => {
  [...item.variants].sort((a, b) => a.price - b.price).forEach((variant) => init().setContent(String(variant.price)));
});
