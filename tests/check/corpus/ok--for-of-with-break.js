svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  for (const variant of payload.item.variants) {
    init().setContent('v');
    break;
  }
});
