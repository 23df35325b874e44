const EVENTS = Object.freeze({ PRICE: "svc-content-after-price", UPDATED: "svc-content-after-price-updated" });
svcPlugins.subscribeEvent(EVENTS.UPDATED, (event, init) => init());
