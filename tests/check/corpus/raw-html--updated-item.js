let block;
svcPlugins.subscribeEvent("svc-content-after-price", (event, init) => { block = init(); });
svcPlugins.subscribeEvent("svc-content-after-price-updated", (event, init, payload, { selectedVariant }) => {
  block.setContent("<b>" + selectedVariant.sku + "</b>");
});
