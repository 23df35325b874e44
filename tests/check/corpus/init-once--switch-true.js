svcPlugins.subscribeEvent("svc-content-after-price", (e, init, { item }) => {
  switch (true) {
    case item.stock === null: init().setContent("<p>many</p>");
    case item.stock > 0: init().setContent("<p>some</p>"); break;
    default: init().setContent("<p>none</p>");
  }
});
