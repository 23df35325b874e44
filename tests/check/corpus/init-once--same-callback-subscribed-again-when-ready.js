const show = function (event, init) {
  const block = init();
  block.setContent("<p>a</p>");
};
svcPlugins.subscribeEvent("svc-content-after-cart", show);
document.addEventListener("DOMContentLoaded", function () {
  ["cart", "checkout"].forEach((name) => svcPlugins.subscribeEvent("svc-content-after-" + name, show));
});
