const start = (init) => init();
svcPlugins.subscribeEvent("svc-content-after-price-updated", (event, init) => start(init).setContent("a"));
