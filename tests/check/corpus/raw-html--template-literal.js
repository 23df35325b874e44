svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item, page }) => {
  init().setContent(`<p class="x">${item.brand}</p>`);
});
