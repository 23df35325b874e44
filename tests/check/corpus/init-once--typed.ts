type Init = () => { setContent(html: string): void };
enum Events { Price = "svc-content-after-price" }
const start = (init: Init, html: string): void => init().setContent(html);
svcPlugins.subscribeEvent(Events.Price, (_event: unknown, init: Init): void => {
  start(init as Init, "a");
  start(init!, "b");
});
