svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const inner = () => { const more = () => init(); return more(); };
  inner().setContent('a');
});
