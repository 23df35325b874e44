const show = (event, init) => init().setContent("x");
svcPlugins.subscribeEvent("svc-content-after-price", show);
svcPlugins.subscribeEvent("svc-content-after-cart", show);
