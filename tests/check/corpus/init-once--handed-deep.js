const c = (f) => f();
const b = (f) => c(f);
function a(f) { b(f); c(f); }
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  a(init);
});
