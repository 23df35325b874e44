let c;
function handle(isUpdate, e, init) { if (!isUpdate) c = init(); c.setContent("<p></p>"); }
svcPlugins.subscribeEvent("svc-content-after-price", handle.bind(null, false));
svcPlugins.subscribeEvent("svc-content-after-price-updated", handle.bind(null, true));
