addEventListener("app:data", (ev) => ev.detail.init().setContent("<p>m</p>"));
svcPlugins.subscribeEvent("svc-content-after-cart", (e, init) => {
  setTimeout(() => dispatchEvent(new CustomEvent("app:data", { detail: { init } })), 0);
});
