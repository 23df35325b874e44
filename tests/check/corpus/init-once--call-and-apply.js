svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  init.call(null).setContent('a');
  init.apply(null, []).setContent('b');
});
