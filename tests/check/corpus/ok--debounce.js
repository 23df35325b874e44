function debounce(fn, ms) { let t; return (...a) => { clearTimeout(t); t = setTimeout(() => fn(...a), ms); }; }
let c;
const draw = debounce((html) => c.setContent(html), 0);
svcPlugins.subscribeEvent("svc-content-after-price", (e, init) => { c = init(); draw("<p>1</p>"); });
svcPlugins.subscribeEvent("svc-content-after-price-updated", () => draw("<p>2</p>"));
