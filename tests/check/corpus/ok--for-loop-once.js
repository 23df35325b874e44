svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  for (let i = 0; i < 1; i++) init().setContent(String(i));
});
