svcPlugins.subscribeEvent(" svc-content-after-price svc-content-after-price-updated ", (event, init) => { init(); });
