svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  (0, init)();
  (0, init)();
});
