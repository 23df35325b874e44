const getConfig = async () => ({ html: "<p>x</p>" });
svcPlugins.subscribeEvent("svc-content-after-cart", async (e, init) => {
  put(await getConfig(), init());
});
function put({ html }, c) { c.setContent(html); }
