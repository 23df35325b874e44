svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const block = init();
  document.body.insertAdjacentHTML('beforeend', `<p>${payload.item.name}</p>`);
  block.setContent('x');
});
