const name = "svc-content-after-checkout";
svcPlugins.subscribeEvent(`${name}-updated`, (event, init) => init());
