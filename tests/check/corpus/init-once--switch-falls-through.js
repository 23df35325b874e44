svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  switch (payload.page.language) {
    case 'en': init().setContent('a');
    default: init().setContent('b');
  }
});
