svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  let n = 0;
  do { init(); n += 1; } while (n < 2);
});
