svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const start = init.bind(null);
  start();
  start();
});
