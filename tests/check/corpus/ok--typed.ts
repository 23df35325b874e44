interface Handler { setContent(html: string): void }
svcPlugins.subscribeEvent("svc-content-after-price", (_event: Event, init: () => Handler, ...rest: unknown[]) => {
  const block: Handler = init();
  block.setContent(`<p>${rest.length}</p>` as string);
});
