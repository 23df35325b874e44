svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  [1, 2].reduce((block) => init(), null);
});
