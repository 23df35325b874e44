svcPlugins.subscribeEvent("svc-content-after-price", async (event, init) => {
  const block = init();
  await Promise.resolve();
  block.setContent("a");
});
