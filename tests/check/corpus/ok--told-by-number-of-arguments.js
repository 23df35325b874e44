let block;
function show() {
  if (arguments.length === 3) block = arguments[1]();
  block.setContent("a");
}
svcPlugins.subscribeEvent("svc-content-after-price", show);
svcPlugins.subscribeEvent("svc-content-after-price-updated", show);
