function once(f) {
  let done = false;
  return () => { if (done) { return null; } return f(); };
}
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const get = once(init);
  get();
  get();
});
