const money = (amount) => (amount === 0 ? "free" : amount.toFixed(2));
svcPlugins.subscribeEvent("svc-content-after-price", (event, initContentHandler, { item }) => {
  let html = "<p>", count = 0;
  item.variants.forEach((variant) => {
    if (variant.price < item.price) { html += "<i>" + money(variant.price) + "</i>"; count++; }
  });
  if (item.weight > 1000) html += "<b>Heavy</b>";
  html += item.stock && item.stock < 3 ? "<b>" + item.stock + " left</b>" : count ? "<i>" + count + "</i>" : "";
  initContentHandler().setContent(html);
});
