svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const done = new Promise((resolve) => setTimeout(resolve, 0));
  done.then(() => init());
});
