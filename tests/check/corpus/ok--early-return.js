svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  if (payload.item.stock === 0) {
    init().setContent('sold out');
    return;
  }
  init().setContent('in stock');
});
