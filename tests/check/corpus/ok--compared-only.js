svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item, page }) => {
  init().setContent(item.name === "Mug" ? "<p>A mug</p>" : "<p>Something else</p>");
});
