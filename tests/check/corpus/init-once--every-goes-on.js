svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  ['a', 'b'].every((text) => { init().setContent(text); return true; });
});
