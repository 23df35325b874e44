const query = new URLSearchParams(location.search);
svcPlugins.subscribeEvent("svc-content-after-price", (event, init) => { init().setContent("<b>" + query.get("q") + "</b>"); });
