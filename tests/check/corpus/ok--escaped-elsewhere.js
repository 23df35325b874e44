import { escapeHtml } from './escape.js';
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item, page }) => {
  init().setContent(`<p>${escapeHtml(item.name)}</p>`);
});
