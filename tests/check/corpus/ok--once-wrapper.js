function once(f) {
  let done = false, value;
  return function () { if (done) return value; done = true; value = f(); return value; };
}
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const get = once(init);
  get().setContent('a');
  get().setContent('b');
});
