svcPlugins.subscribeEvent("svc-content-after-price", function () {
  arguments[1]();
  arguments[1]();
});
