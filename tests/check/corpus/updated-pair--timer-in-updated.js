svcPlugins.subscribeEvent("svc-content-after-price-updated", (event, init) => setTimeout(() => init(), 0));
