const show = (html) => (event, init) => init().setContent(html);
svcPlugins.subscribeEvent("svc-content-after-price", show("a"));
