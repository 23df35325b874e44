svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  init().setContent('<div class="offers"></div>');
  $('.offers').html('<b>' + payload.item.name + '</b>');
});
