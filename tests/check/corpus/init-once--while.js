svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  let n = 2;
  while (n-- > 0) init();
});
