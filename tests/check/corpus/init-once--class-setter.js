class View { constructor(i) { this.i = i; } set html(v) { this.i().setContent(v); } }
svcPlugins.subscribeEvent("svc-content-after-cart", (e, init) => { const v = new View(init); v.html = "<p>1</p>"; v.html = "<p>2</p>"; });
