// For values outside the Basic Multilingual Plane (BMP), manually construct a surrogate pair
const high = String.fromCharCode(0x1f600 >> 10 | 0xd800);
svcPlugins.subscribeEvent("svc-content-after-price", (event, init) => { init().setContent(high); });
