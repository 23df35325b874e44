function whenReady(cb) { if (window.__libLoaded) { cb(); } else { setTimeout(function () { whenReady(cb); }, 0); } }
setTimeout(function () { window.__libLoaded = true; }, 0);
svcPlugins.subscribeEvent("svc-content-after-cart", function (e, init) {
  window.__libLoaded = false;
  setTimeout(function () { window.__libLoaded = true; }, 0);
  whenReady(function () { init().setContent("<p>t</p>"); });
});
