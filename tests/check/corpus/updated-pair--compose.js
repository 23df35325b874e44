const compose = (...fns) => (x) => fns.reduceRight((v, f) => f(v), x);
const full = compose((s) => "svc-content-" + s, (s) => "after-" + s);
const sub = (n) => svcPlugins.subscribeEvent(n, (e, init) => { init().setContent("<p></p>"); });
["price", "price-updated"].map(full).forEach(sub);
