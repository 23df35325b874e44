function show(event, init) { init().setContent("a"); }
svcPlugins.subscribeEvent("svc-content-after-price", show);
svcPlugins.subscribeEvent("svc-content-after-price-updated", show);
