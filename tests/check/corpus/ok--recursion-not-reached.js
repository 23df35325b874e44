svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const draw = (n) => { if (n > 0) return draw(n - 1); return init(); };
  draw(3).setContent('a');
});
