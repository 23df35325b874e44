let block;
svcPlugins.subscribeEvent("svc-content-after-price", (event, init) => { block = init(); });
svcPlugins.subscribeEvent("svc-content-after-price-updated", () => block.setContent("a"));
