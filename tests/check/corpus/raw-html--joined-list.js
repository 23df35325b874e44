svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const rows = payload.item.variants.map((v) => '<li>' + v.options[0].title + '</li>');
  init().setContent('<ul>' + rows.join('') + '</ul>');
});
