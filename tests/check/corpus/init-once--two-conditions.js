svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  if (payload.item.price > 10) init().setContent('a');
  if (payload.item.variants.length > 1) init().setContent('b');
});
