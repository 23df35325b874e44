svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  if (payload.item.stock === 0) {
    init().setContent('sold out');
  } else {
    init().setContent('in stock');
  }
});
