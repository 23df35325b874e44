const names = ["svc-content-after-price", "svc-content-after-price-updated"];
for (let i = 0; i < names.length; i++) {
  svcPlugins.subscribeEvent(names[i], (event, init) => {
    if (i === 1) init().setContent("a");
  });
}
