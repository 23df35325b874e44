const it = ["svc-content-after-price", "svc-content-after-price-updated"][Symbol.iterator]();
let r;
while (!(r = it.next()).done) svcPlugins.subscribeEvent(r.value, (e, init) => init().setContent("<p></p>"));
