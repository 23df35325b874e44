svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  init();
  new Promise((resolve) => resolve(init()));
});
