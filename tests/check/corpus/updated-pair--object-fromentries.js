const subs = Object.fromEntries(["", "-updated"].map((s) => ["svc-content-after-price" + s, (e, init) => init().setContent("<p></p>")]));
for (const n in subs) svcPlugins.subscribeEvent(n, subs[n]);
