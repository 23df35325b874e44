const SIGNS = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const safe = (text) => text.replace(/[&<>]/g, (sign) => SIGNS[sign]);
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item, page }) => {
  init().setContent(`<p>${safe(item.name)}</p>`);
});
