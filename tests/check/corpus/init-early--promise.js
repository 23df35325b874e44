svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  Promise.resolve().then(() => init().setContent('a'));
});
