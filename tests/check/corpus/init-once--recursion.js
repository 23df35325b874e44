svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const draw = (n) => { init(); if (n > 0) draw(n - 1); };
  draw(1);
});
