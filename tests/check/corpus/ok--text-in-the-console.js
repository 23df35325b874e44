svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  console.log(payload.item.name);
  init().setContent('<p>x</p>');
});
