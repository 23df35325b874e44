svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item, page }) => {
  init().setContent(`<p>${item.price * 2} ${item.price_undiscounted - item.price}</p>`);
});
