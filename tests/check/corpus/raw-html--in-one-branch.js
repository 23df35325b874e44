svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const block = init();
  if (payload.item.stock === 0) block.setContent('<p>' + payload.item.name + ' is sold out</p>');
  else block.setContent('<p>In stock</p>');
});
