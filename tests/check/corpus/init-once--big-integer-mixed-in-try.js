svcPlugins.subscribeEvent("svc-content-after-price", (event, init) => {
  try {
    init();
    const total = 1n + 1;
  } catch (error) {
    init();
  }
});
