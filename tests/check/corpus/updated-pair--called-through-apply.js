svcPlugins.subscribeEvent.apply(svcPlugins, ["svc-content-after-price-updated", (event, init) => init()]);
