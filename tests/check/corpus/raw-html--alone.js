svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item, page }) => {
  init().setContent(item.name);
});
