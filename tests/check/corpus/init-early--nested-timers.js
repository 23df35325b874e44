svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  setTimeout(() => setTimeout(() => init(), 0), 0);
});
