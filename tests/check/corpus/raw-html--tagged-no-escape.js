const html = (s, ...v) => s.reduce((out, part, i) => out + part + (i < v.length ? v[i] : ""), "");
svcPlugins.subscribeEvent("svc-content-after-price", (e, init, { item }) => { init().setContent(html`<b>${item.name}</b>`); });
