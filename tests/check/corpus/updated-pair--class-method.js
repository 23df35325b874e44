class App {
  start() { svcPlugins.subscribeEvent("svc-content-after-price-updated", this.show.bind(this)); }
  show(event, init) { init(); }
}
new App().start();
