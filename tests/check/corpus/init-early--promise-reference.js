svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  Promise.resolve('x').then(init);
});
