svcPlugins.subscribeEvent("svc-content-after-cart", (event, init, { cartData }) => {
  let html = "";
  for (const line of cartData.items) html += "<li>" + line.name + "</li>";
  init().setContent(html);
});
