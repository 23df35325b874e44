svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const blocks = ['a', 'b'].map(init);
  blocks[0].setContent('x');
});
