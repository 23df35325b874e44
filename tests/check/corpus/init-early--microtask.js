svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  queueMicrotask(() => { init(); });
});
