const handlers = {
  "svc-content-after-price": (event, init) => init(),
  "svc-content-after-price-updated"(event, init) { init(); },
};
Object.keys(handlers).forEach((name) => svcPlugins.subscribeEvent(name, handlers[name]));
