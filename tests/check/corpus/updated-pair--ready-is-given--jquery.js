jQuery(function ($) {
  $.each({ 'svc-content-after-checkout-updated': 1 }, function (name) {
    svcPlugins.subscribeEvent(name, function (event, initContentHandler, param, cart) {
      var ch = initContentHandler();
      ch.setContent($('<p>').text(cart.total));
    });
  });
});
