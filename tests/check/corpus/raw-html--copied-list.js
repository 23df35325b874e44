svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item }) => {
  init().setContent([...item.variants].map((variant) => `<p>${variant.sku}</p>`).join(""));
});
