$(document).on("myapp:ready", function (e, init) { init().setContent("<p>x</p>"); });
svcPlugins.subscribeEvent("svc-content-after-cart", function (event, initContentHandler) {
  setTimeout(function () { $(document).trigger("myapp:ready", [initContentHandler]); }, 0);
});
