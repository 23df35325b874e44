svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item }) => {
  const [cheapest] = [...item.variants].sort((a, b) => a.price - b.price);
  if (cheapest) init().setContent(String(cheapest.price));
  else init().setContent("none");
});
