svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  requestAnimationFrame(() => init().setContent('a'));
});
