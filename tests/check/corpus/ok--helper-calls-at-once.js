const now = (work) => work();
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  now(() => init().setContent('a'));
});
