function show(html, event, init) { init().setContent(html); }
svcPlugins.subscribeEvent("svc-content-after-price-updated", show.bind(null, "a"));
