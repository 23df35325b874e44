const createStore = (s) => { const ls = new Set(); return { get: () => s, set: (v) => { s = { ...s, ...v }; ls.forEach((l) => l(s)); }, on: (l) => (ls.add(l), () => ls.delete(l)) }; };
const store = createStore({ total: 0 });
svcPlugins.subscribeEvent("svc-content-after-checkout", (e, init, p) => {
  const c = init();
  store.on((s) => c.setContent("<p>" + Number(s.total) + "</p>"));
  store.set({ total: p.cartData.total });
});
svcPlugins.subscribeEvent("svc-content-after-checkout-updated", (e, i, p, u) => store.set({ total: u.total }));
