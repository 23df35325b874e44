svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const { item } = payload;
  const name = item.name.trim();
  let html = '<b>';
  html += name;
  html += '</b>';
  init().setContent(html);
});
