svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  init().setContent('a');
});
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  init().setContent('b');
});
