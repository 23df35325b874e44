const use = (...mw) => async (ctx) => { for (const m of mw) await m(ctx); };
const app = use(async (c) => { c.data = { n: 1 }; }, (c) => { c.init().setContent("<p>" + c.data.n + "</p>"); });
svcPlugins.subscribeEvent("svc-content-after-cart", (e, init) => app({ init }));
