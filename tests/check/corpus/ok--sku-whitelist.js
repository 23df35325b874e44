svcPlugins.subscribeEvent("svc-content-after-price", (e, init, { item }) => { init().setContent(`<p>SKU ${item.sku.replace(/[^\w-]/g, "")}</p>`); });
