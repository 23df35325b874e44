svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const tools = { init, log: () => 1 };
  tools.init();
  const { init: again } = tools;
  again();
});
