function App() {}
$.extend(App.prototype, {
  go: function () {
    svcPlugins.subscribeEvent("svc-content-after-price", $.proxy(this.onEvent, this));
    svcPlugins.subscribeEvent("svc-content-after-price-updated", $.proxy(this, "onEvent"));
  },
  onEvent: function (e, init) { this.h = init(); this.h.setContent("<p>1</p>"); }
});
new App().go();
