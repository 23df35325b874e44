$(function () {
  var h;
  $.each({
    "svc-content-after-price": function (e, init) { h = init(); h.setContent("<p>1</p>"); },
    "svc-content-after-price-updated": function () { h.setContent("<p>2</p>"); }
  }, function (name, fn) { svcPlugins.subscribeEvent(name, fn); });
});
