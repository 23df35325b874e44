svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const box = document.createElement('div');
  box.innerHTML = '<i>' + payload.item.category + '</i>';
  init().setContent(box);
});
