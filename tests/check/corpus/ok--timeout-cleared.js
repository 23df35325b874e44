svcPlugins.subscribeEvent("svc-content-after-cart", (e, init) => {
  const t = setTimeout(() => init().setContent("<p>slow</p>"), 0);
  clearTimeout(t);
  init().setContent("<p>now</p>");
});
