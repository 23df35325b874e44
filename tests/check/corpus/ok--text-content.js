svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const box = document.createElement('p');
  box.textContent = payload.item.name;
  init().setContent(box);
});
