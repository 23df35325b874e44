function safe(text) {
  const box = document.createElement('div');
  box.textContent = text;
  return box.innerHTML;
}
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item, page }) => {
  init().setContent("<p>" + safe(item.name) + "</p>");
});
