const logged = (fn) => function (...args) { console.log(args[0].type); return fn.apply(this, args); };
const draw = logged((e, init, p, u) => { init().setContent("<p>" + Boolean(u) + "</p>"); });
svcPlugins.subscribeEvent("svc-content-after-checkout", draw);
svcPlugins.subscribeEvent("svc-content-after-checkout-updated", draw);
