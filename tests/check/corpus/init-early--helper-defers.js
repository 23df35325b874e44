const later = (work) => setTimeout(work, 0);
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  later(() => init());
});
