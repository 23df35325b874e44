const row = (label, text) => `<tr><td>${label}</td><td>${text}</td></tr>`;
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item, page }) => {
  init().setContent(row('Brand', item.brand));
});
