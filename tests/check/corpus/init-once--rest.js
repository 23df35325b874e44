svcPlugins.subscribeEvent("svc-content-after-price", (...args) => {
  args[1]();
  const [, init] = args;
  init();
});
