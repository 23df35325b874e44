const blocks = new WeakMap();
const blockOf = (init) => { if (!blocks.has(init)) blocks.set(init, init()); return blocks.get(init); };
svcPlugins.subscribeEvent("svc-content-after-price", (e, init) => {
  blockOf(init).setContent("<p>1</p>");
  blockOf(init).setContent("<p>2</p>");
});
