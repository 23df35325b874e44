svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  if (payload.item.price > 10) {
    init().setContent('sold out');
  }
  init().setContent('in stock');
});
