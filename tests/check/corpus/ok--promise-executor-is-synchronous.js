svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  new Promise((resolve) => resolve(init())).then((block) => block.setContent('a'));
});
