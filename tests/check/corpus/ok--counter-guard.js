let calls = 0;
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  calls = 0;
  const start = () => (calls++ === 0 ? init() : null);
  start();
  start();
});
