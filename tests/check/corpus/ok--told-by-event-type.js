let block;
function show(event, init) {
  if (!/-updated$/.test(event.type)) block = init();
}
svcPlugins.subscribeEvent("svc-content-after-price", show);
