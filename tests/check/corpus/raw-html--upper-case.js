svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item, page }) => {
  init().setContent("<p>" + item.name.toUpperCase() + "</p>");
});
