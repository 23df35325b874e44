svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item }) => { init().setContent(String.raw`<b>${item.name}</b>`); });
