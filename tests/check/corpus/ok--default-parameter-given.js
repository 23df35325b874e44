svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const draw = (block = init()) => block.setContent('a');
  draw(init());
});
