svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  Array.from({ length: 2 }, () => init());
});
