function safe(text, tag) {
  const box = document.createElement(tag);
  box.setAttribute("placeholder", "a><b");
  box.textContent = text;
  return box.innerHTML + box.outerHTML;
}
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item, page }) => {
  const area = document.createElement("textarea");
  area.innerHTML = "a &lt; b<";
  if (area.value !== "a < b<" || area.innerHTML !== "a &lt; b&lt;") init();
  const block = init();
  block.setContent(["div", "textarea", "title"].map((tag) => "<p>" + safe(item.name, tag) + "</p>").join(""));
});
