svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  setTimeout(() => init().setContent('a'), 0);
});
