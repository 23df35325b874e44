svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  let block = null;
  const get = () => (block ??= init());
  get().setContent('a');
  get().setContent('b');
});
