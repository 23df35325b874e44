svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  setTimeout(init, 0);
});
