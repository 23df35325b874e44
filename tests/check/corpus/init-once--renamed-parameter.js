svcPlugins.subscribeEvent("svc-content-after-price", (e, start = null) => {
  start();
  start();
});
