function esc(text) {
  return String(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
}
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item, page }) => {
  init().setContent("<p>" + esc(item.name) + "</p>");
});
