svcPlugins.subscribeEvent("svc-content-after-cart", (e, init) => {
  "a-b-c".replace(/-/g, () => { init().setContent("<p>s</p>"); return "+"; });
});
