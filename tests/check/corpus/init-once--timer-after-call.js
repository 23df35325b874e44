svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  init().setContent('a');
  setTimeout(() => init().setContent('b'), 0);
});
