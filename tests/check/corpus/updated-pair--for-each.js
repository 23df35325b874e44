["svc-content-after-price", "svc-content-after-price-updated"].forEach((name) => svcPlugins.subscribeEvent(name, (event, init) => init()));
