svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  (() => init())();
  (function () { init(); })();
});
