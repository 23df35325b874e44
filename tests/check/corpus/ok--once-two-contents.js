svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const block = init();
  block.setContent('a');
  block.setContent('b');
});
