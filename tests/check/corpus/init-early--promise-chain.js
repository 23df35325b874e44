svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  Promise.resolve(1).then((n) => n + 1).then((n) => init().setContent(String(n)));
});
