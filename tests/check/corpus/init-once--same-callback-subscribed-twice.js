function show(event, init) {
  init().setContent("<p>a</p>");
}
svcPlugins.subscribeEvent("svc-content-after-price", show);
svcPlugins.subscribeEvent("svc-content-after-price", show);
