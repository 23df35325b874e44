svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const i = init;
  i().setContent('a');
});
