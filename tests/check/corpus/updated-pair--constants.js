const NAME = "svc-content-after-checkout";
const UPDATED = "-updated";
const show = (event, init) => init();
svcPlugins.subscribeEvent(NAME, show);
svcPlugins.subscribeEvent(NAME + UPDATED, show);
