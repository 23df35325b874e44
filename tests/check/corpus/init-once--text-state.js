let state = "idle", c;
svcPlugins.subscribeEvent("svc-content-after-cart", (e, init) => {
  const step = () => { if (state !== "done") { state = "shown"; c = init(); } c.setContent("<p>" + state + "</p>"); };
  step(); step();
});
