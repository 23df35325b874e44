svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const block = init();
  svcPlugins.subscribeEvent('svc-content-after-price-updated', () => block.setContent('b'));
});
