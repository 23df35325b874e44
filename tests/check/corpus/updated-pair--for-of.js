for (const name of ["svc-content-after-checkout", "svc-content-after-checkout-updated"]) {
  svcPlugins.subscribeEvent(name, (event, init) => { init().setContent("a"); });
}
