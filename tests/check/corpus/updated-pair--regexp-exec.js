let c;
["svc-content-after-price", "svc-content-after-price-updated"].forEach((n) => {
  const [, slot, upd] = n.match(/^svc-content-(after-[a-z]+)(-updated)?$/);
  svcPlugins.subscribeEvent(n, (e, init) => { if (slot) { c = init(); } c.setContent("<p>" + slot + "</p>"); });
});
