svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  let i = init, j = i;
  j();
  i();
});
