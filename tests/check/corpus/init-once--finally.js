svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  try { init().setContent('a'); } finally { init().setContent('b'); }
});
