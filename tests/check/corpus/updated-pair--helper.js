function sub(name, callback) {
  svcPlugins.subscribeEvent(name, callback);
  svcPlugins.subscribeEvent(name + '-updated', callback);
}
sub("svc-content-after-price", (event, init) => init().setContent("a"));
