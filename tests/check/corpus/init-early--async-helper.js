async function load() { await null; return 'x'; }
svcPlugins.subscribeEvent("svc-content-after-price", async (event, init) => {
  const html = await load();
  init().setContent(html);
});
