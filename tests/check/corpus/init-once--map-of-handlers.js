svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const kept = new Map([['a', init]]);
  kept.get('a')();
  kept.get('a')();
});
