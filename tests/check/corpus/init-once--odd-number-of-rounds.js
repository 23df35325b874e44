svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item }) => {
  let odd = true;
  for (const variant of item.variants) {
    odd = !odd;
  }
  init();
  if (item.variants.length === 1 && !odd) init();
});
