svcPlugins.subscribeEvent("svc-content-after-price", function () {
  arguments[1]().setContent("a");
});
