function show(handler, html) { handler().setContent(html); }
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  show(init, 'a');
  show(init, 'b');
});
