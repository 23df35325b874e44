svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const tools = { start: init };
  tools.start();
  tools.log = 1;
});
