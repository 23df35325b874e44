let flags = 0;
svcPlugins.subscribeEvent("svc-content-after-cart", (e, init) => {
  const go = () => { if (!(flags & 1)) { flags |= 2; return init(); } };
  go().setContent("<p>1</p>"); go().setContent("<p>2</p>");
});
