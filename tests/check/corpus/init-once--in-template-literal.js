svcPlugins.subscribeEvent("svc-content-after-price", (event, init, payload) => {
  const text = `${init()}${init()}`;
  console.log(text);
});
