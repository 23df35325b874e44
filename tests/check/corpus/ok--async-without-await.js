svcPlugins.subscribeEvent("svc-content-after-price", async (event, init) => {
  init().setContent("a");
});
