svcPlugins.subscribeEvent("svc-content-after-price", function (event, init) { this.asked = init; init(); this.asked(); });
