svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const block = { get handler() { return init(); } };
  block.handler.setContent('a');
  block.handler.setContent('b');
});
