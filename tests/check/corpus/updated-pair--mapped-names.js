["price", "checkout"].map((slot) => "svc-content-after-" + slot).forEach((name) => {
  svcPlugins.subscribeEvent(name + "-updated", (event, init) => init());
});
