svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item }) => {
  const queue = [...item.variants];
  while (queue.length > 0) {
    const variant = queue.shift();
    init().setContent(String(variant.price));
  }
});
