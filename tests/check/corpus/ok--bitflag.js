let flags = 0, c;
svcPlugins.subscribeEvent("svc-content-after-cart", (e, init) => {
  const go = () => { if (!(flags & 1)) { flags |= 1; c = init(); } return c; };
  go().setContent("<p>1</p>"); go().setContent("<p>2</p>");
});
