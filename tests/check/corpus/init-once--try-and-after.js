svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  try { init().setContent('a'); } catch (error) { console.log(error); }
  init().setContent('b');
});
