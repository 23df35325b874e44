const { subscribeEvent: on } = window["svcPlugins"];
on("svc-content-after-price-updated", function (event, init) { init(); });
