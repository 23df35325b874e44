svcPlugins.subscribeEvent("svc-content-after-price", (event, initContentHandler, { item }) => {
  let low = false;
  if (item.stock < 5) low = true;
  if (low) initContentHandler().setContent("<p>Few left</p>");
  if (item.stock < 5) initContentHandler().setContent("<p>Hurry</p>");
});
