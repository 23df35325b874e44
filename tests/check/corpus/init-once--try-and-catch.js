svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  try {
    init().setContent('a');
    throw new Error('x');
  } catch (error) {
    init().setContent('b');
  }
});
