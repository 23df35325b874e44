svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item }) => {
  const parsed = new DOMParser().parseFromString("<b>" + item.name + "</b>", "text/html");
  init().setContent(document.createElement("p"));
  document.querySelector("p").append(...parsed.body.childNodes);
});
