const view = { set html(v) { (this._c || (this._c = this._init())).setContent(v); } };
svcPlugins.subscribeEvent("svc-content-after-cart", (e, init) => { view._init = init; view.html = "<p>1</p>"; view.html = "<p>2</p>"; });
