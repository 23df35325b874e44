const handlers = { "svc-content-after-checkout": (e, init) => init(), "svc-content-after-checkout-updated": (e, init) => init() };
for (const [name, handler] of Object.entries(handlers)) svcPlugins.subscribeEvent(name, handler);
