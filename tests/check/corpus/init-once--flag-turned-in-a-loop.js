let done = false, keep = null;
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item }) => {
  for (const variant of item.variants) {
    if (item.brand === "") {
      keep || (keep = init());
      done = !done;
    }
  }
  for (let i = 0; i < 2; i++) {
    if (item.sku || done) break;
    init();
  }
});
