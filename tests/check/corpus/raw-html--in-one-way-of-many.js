svcPlugins.subscribeEvent("svc-content-after-price", (event, initContentHandler, { item }) => {
  let html = "<p>";
  for (const variant of item.variants) {
    const shown = variant.stock === 0 ? "Sold out" : variant.options[0].title;
    if (variant.price < item.price) html += "<b>" + shown + "</b>";
  }
  initContentHandler().setContent(html + "</p>");
});
