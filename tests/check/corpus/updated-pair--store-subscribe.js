const createStore = (s) => { const ls = []; return { set: (v) => { s = Object.assign({}, s, v); ls.forEach((l) => l(s)); }, on: (l) => ls.push(l) }; };
const store = createStore({});
store.on((s) => s.init().setContent("<p>" + Number(s.total) + "</p>"));
svcPlugins.subscribeEvent("svc-content-after-checkout", (e, init, p) => store.set({ total: p.cartData.total, init }));
svcPlugins.subscribeEvent("svc-content-after-checkout-updated", (e, init, p, u) => store.set({ total: u.total, init }));
