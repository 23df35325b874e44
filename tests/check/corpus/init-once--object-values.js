svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const makers = { a: init, b: init };
  Object.values(makers).forEach((make) => make());
});
