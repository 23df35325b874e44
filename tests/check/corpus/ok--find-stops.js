svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  ['a', 'b'].some((text) => { init().setContent(text); return true; });
});
