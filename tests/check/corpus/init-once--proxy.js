svcPlugins.subscribeEvent("svc-content-after-cart", (e, init) => {
  const p = new Proxy(init, {});
  p().setContent("<p>1</p>"); p().setContent("<p>2</p>");
});
