svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  switch (payload.page.language) {
    case 'lv': init().setContent('a'); break;
    case 'en': init().setContent('b'); break;
    default: init().setContent('c');
  }
});
