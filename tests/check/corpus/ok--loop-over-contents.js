svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const block = init();
  for (const text of ['a', 'b']) block.setContent(text);
});
