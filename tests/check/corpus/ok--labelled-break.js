svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  outer: for (const a of [1, 2]) {
    for (const b of [1, 2]) { init(); break outer; }
  }
});
