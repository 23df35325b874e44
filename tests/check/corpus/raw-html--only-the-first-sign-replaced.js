svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item }) => {
  init().setContent("<p>" + item.name.replace("&", "&amp;").replace("<", "&lt;") + "</p>");
});
