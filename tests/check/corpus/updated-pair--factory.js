const show = (html) => (event, init) => init().setContent(html);
svcPlugins.subscribeEvent("svc-content-after-price", show("a"));
svcPlugins.subscribeEvent("svc-content-after-price-updated", show("b"));
