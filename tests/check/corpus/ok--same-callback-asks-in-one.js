let block;
const show = (event, init) => {
  block = block || init();
  block.setContent("<p>a</p>");
};
svcPlugins.subscribeEvent("svc-content-after-cart", show);
svcPlugins.subscribeEvent("svc-content-after-cart", show);
