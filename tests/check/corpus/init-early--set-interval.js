svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const timer = setInterval(() => { clearInterval(timer); init(); }, 0);
});
