svcPlugins.subscribeEvent("svc-content-after-price.app", (event, init) => { init(); init(); });
