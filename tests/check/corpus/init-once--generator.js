svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  function* blocks() { yield init(); yield init(); }
  for (const block of blocks()) block.setContent('a');
});
