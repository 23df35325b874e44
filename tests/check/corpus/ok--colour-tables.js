const key = 0, category = colors("1f77b4ff7f0e2ca02cd62728949e8b567bd8c564e377c27f7f7fbcbd2217becf");
function colors(text) { return text.match(/.{6}/g).map((one) => "#" + one); }
svcPlugins.subscribeEvent("svc-content-after-price", (event, init) => { init().setContent(category[key]); });
