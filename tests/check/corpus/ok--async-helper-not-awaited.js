async function show(block) { await null; block.setContent('x'); }
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  show(init());
});
