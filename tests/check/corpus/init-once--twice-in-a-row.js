svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  init().setContent('a');
  init().setContent('b');
});
