let start;
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  start = init;
});
svcPlugins.subscribeEvent("svc-content-after-price-updated", () => { if (start) { start().setContent("a"); start = null; } });
