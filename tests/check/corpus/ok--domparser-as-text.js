svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item }) => {
  const parsed = new DOMParser().parseFromString(item.name, "text/html"), box = document.createElement("p");
  box.append(parsed.body.textContent);
  init().setContent(box);
});
