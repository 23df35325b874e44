svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  let block;
  const get = () => block || (block = init());
  get().setContent('a');
  get().setContent('b');
});
