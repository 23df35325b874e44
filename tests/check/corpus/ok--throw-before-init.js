svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  try {
    throw new Error('x');
  } catch (error) {
    init().setContent('b');
  }
});
