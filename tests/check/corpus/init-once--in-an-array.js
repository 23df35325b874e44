svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const [first, second] = [init, init];
  first();
  second();
});
