function sub(name, callback) {
  svcPlugins.subscribeEvent(name, callback);
}
sub("svc-content-after-price", (event, init) => init().setContent("a"));
