svcPlugins.subscribeEvent("svc-content-after-checkout".concat("-updated"), (event, init) => init());
