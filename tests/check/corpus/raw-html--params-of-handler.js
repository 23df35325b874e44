svcPlugins.subscribeEvent("svc-content-after-price", (event, init) => {
  const block = init();
  block.setContent("<p>" + block.params.item.name + "</p>");
});
