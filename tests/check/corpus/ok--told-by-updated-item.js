let block;
function show(event, init, payload, updated) {
  if (updated) return block.setContent("b");
  block = init();
  block.setContent("a");
}
svcPlugins.subscribeEvent("svc-content-after-checkout", show);
svcPlugins.subscribeEvent("svc-content-after-checkout-updated", show);
