svcPlugins.subscribeEvent("svc-content-after-price", (event, init) => {
  try {
    init();
    let total = 1n + 2n;
    total++;
    if (total === 4n && total == 4 && `${-total}` === "-4") total *= 2n;
    else init();
  } catch (error) {
    init();
  }
});
