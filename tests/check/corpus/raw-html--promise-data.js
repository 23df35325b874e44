svcPlugins.subscribeEvent("svc-content-after-price", (e, init, { item }) => { const c = init(); Promise.resolve(item).then(({ name }) => c.setContent("<b>" + name + "</b>")); });
