svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  if (typeof payload.item.stock === 'number') init().setContent('a');
  else if (payload.item.stock === null) init().setContent('b');
});
