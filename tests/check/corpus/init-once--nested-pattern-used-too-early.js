svcPlugins.subscribeEvent("svc-content-after-price", (event, init, params) => {
  try {
    init();
    const text = name + 1;
    const { item: { name } } = params;
  } catch (error) {
    init();
  }
});
