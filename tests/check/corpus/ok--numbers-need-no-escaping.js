svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item, page }) => {
  init().setContent("<p>" + item.price.toFixed(2) + " " + item.currency + " " + item.stock + "</p>");
});
