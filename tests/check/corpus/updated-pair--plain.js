svcPlugins.subscribeEvent("svc-content-after-price-updated", (event, init) => init().setContent("a"));
