svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const price = payload.item.price;
  if (price > 50) init().setContent('a');
  if (price <= 50) init().setContent('b');
});
