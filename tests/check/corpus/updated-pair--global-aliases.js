const plugins = window.svcPlugins;
const subscribe = plugins.subscribeEvent;
subscribe("svc-content-after-price-updated", (event, init) => init());
