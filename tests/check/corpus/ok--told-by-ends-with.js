let block;
function show(event, init) {
  if (!event.type.endsWith("-updated")) block = init();
  block.setContent("a");
}
svcPlugins.subscribeEvent("svc-content-after-price", show);
svcPlugins.subscribeEvent("svc-content-after-price-updated", show);
