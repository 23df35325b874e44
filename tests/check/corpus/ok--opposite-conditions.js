svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const sold = payload.item.stock === 0;
  if (sold) init().setContent('a');
  if (!sold) init().setContent('b');
});
