class Block {
  constructor(init) { this.init = init; }
  show(html) { this.init().setContent(html); }
}
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const block = new Block(init);
  block.show('a');
  block.show('b');
});
