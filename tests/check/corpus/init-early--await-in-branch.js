svcPlugins.subscribeEvent("svc-content-after-price", async (event, init, { item }) => {
  if (item.price > 10) await Promise.resolve();
  init().setContent("a");
});
