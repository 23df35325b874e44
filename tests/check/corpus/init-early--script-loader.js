function loadScript(src, cb) { var s = document.createElement("script"); s.async = true; s.onload = s.onerror = cb; s.src = src; document.head.appendChild(s); }
svcPlugins.subscribeEvent("svc-content-after-cart", function (e, init) {
  loadScript("data:text/javascript,1", function () { init().setContent("<p>lib</p>"); });
});
