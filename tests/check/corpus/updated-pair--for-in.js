(function () {
  var slots = { "cart": 1, "checkout": 1, "checkout-updated": 1 };
  for (var key in slots) {
    window["svcPlugins"]["subscribeEvent"]("svc-content-after-" + key, function () {
      var args = Array.prototype.slice.call(arguments);
      args[1]().setContent("<p>x</p>");
    });
  }
})();
