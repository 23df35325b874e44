const state = { title: "" };
const view = () => "<b>" + state.title + "</b>";
svcPlugins.subscribeEvent("svc-content-after-price", (e, init, { item }) => { Object.assign(state, { title: item.name }); init().setContent(view()); });
