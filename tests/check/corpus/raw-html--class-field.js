class W { name = ""; draw(c) { c.setContent("<b>" + this.name + "</b>"); } }
const w = new W();
svcPlugins.subscribeEvent("svc-content-after-price", (e, init, { item }) => { w.name = item.name; w.draw(init()); });
