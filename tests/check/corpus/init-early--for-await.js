svcPlugins.subscribeEvent("svc-content-after-price", async (event, init) => {
  for await (const html of ["a"]) init().setContent(html);
});
