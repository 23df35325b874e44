svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  do { init().setContent('a'); } while (false);
});
