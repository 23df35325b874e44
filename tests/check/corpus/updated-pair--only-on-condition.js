svcPlugins.subscribeEvent("svc-content-after-price-updated", (event, init, payload, updated) => {
  if (updated.selectedVariantId !== "x") init();
});
