let c;
["svc-content-after-price", "svc-content-after-price-updated"].forEach((n) => {
  const [, slot, upd] = /^svc-content-(after-[a-z]+)(-updated)?$/.exec(n);
  svcPlugins.subscribeEvent(n, (e, init) => { if (!upd) { c = init(); } c.setContent("<p>" + slot + "</p>"); });
});
