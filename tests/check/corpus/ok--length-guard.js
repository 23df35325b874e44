svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  if (payload.item.variants.length === 0) init().setContent('none');
  if (payload.item.variants.length > 0) init().setContent('some');
});
