svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item, page }) => {
  init().setContent(`<a href="/q?name=${encodeURIComponent(item.name)}">ask</a>`);
});
