var cache = {};
svcPlugins.subscribeEvent("svc-content-after-cart", function (e, init) {
  function block(k) { if (!(k in cache)) cache[k] = init(); return cache[k]; }
  block("a").setContent("<p>1</p>"); delete cache["a"]; block("a").setContent("<p>2</p>");
});
