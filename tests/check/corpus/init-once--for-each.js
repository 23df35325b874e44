svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  payload.item.variants.forEach(() => init().setContent('v'));
});
