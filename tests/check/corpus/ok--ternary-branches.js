svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  payload.item.stock ? init().setContent('a') : init().setContent('b');
});
