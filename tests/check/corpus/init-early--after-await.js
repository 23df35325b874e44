svcPlugins.subscribeEvent("svc-content-after-price", async (event, init) => {
  await Promise.resolve();
  init().setContent("a");
});
