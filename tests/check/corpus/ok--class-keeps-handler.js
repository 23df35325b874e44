class Block {
  constructor(init) { this.handler = init(); }
  show(html) { this.handler.setContent(html); }
}
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const block = new Block(init);
  block.show('a');
  block.show('b');
});
