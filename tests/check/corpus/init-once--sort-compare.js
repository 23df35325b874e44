svcPlugins.subscribeEvent("svc-content-after-cart", (e, init) => {
  [3, 2, 1].sort((a, b) => { init().setContent("<p>s</p>"); return a - b; });
});
