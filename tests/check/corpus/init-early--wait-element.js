function waitFor(sel, cb, tries) {
  tries = tries || 0;
  if (document.querySelector(sel)) return cb();
  if (tries < 3) setTimeout(function () { waitFor(sel, cb, tries + 1); }, 0);
}
svcPlugins.subscribeEvent("svc-content-after-cart", function (e, init) {
  waitFor(".not-there-yet", function () { init().setContent("<p>a</p>"); });
  setTimeout(function () { var d = document.createElement("div"); d.className = "not-there-yet"; document.body.appendChild(d); }, 0);
});
