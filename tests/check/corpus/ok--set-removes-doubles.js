svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  new Set([init, init]).forEach((make) => make());
});
