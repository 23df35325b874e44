const getConfig = async () => ({ html: "<p>x</p>" });
svcPlugins.subscribeEvent("svc-content-after-cart", async (e, init) => {
  put(init(), await getConfig());
});
function put(c, { html }) { c.setContent(html); }
