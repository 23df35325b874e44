const names = ["svc-content-after-price", "svc-content-after-price-updated"];
const base = [...names];
base.pop();
names.forEach((name) => svcPlugins.subscribeEvent(name, (event, init) => init().setContent("x")));
