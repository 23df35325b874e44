(function (plugins, prefix) {
  plugins.subscribeEvent(prefix + "price-updated", function (event, init) { init(); });
})(svcPlugins, "svc-content-after-");
