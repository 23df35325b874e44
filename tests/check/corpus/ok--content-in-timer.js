svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const block = init();
  setTimeout(() => block.setContent('a'), 0);
});
