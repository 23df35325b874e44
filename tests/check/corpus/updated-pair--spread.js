const given = ["svc-content-after-price-updated", (event, init) => init()];
svcPlugins.subscribeEvent(...given);
