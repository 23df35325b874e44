for (const name of ["svc-content-after-price", "svc-content-after-cart", "svc-content-after-checkout"]) {
  svcPlugins.subscribeEvent(name, (event, init) => { init().setContent("a"); });
}
