svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  let block;
  const get = () => { if (!block) block = init(); return block; };
  get().setContent('a');
  get().setContent('b');
});
