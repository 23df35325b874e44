svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const block = init();
  fetch('/x').then(() => block.setContent(`<p>${payload.item.name}</p>`));
});
