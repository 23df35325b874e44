svcPlugins.subscribeEvent("svc-content-after-cart", (e, init) => {
  let n = 0;
  const t = setInterval(() => {
    if (++n < 2) return;
    clearInterval(t);
    init().setContent("<p>t</p>");
  }, 1);
});
