svcPlugins.subscribeEvent(["svc", "content", "after", "price", "updated"].join("-"), (event, init) => init());
