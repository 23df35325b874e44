let saved;
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  saved = init;
  init().setContent('a');
});
svcPlugins.subscribeEvent("svc-content-after-price-updated", () => saved());
