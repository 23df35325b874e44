const shower = (text) => (event, init) => init().setContent(text);
svcPlugins.subscribeEvent("svc-content-after-price", shower("a"));
svcPlugins.subscribeEvent("svc-content-after-price", shower("b"));
