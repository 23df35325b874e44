/** What every peer shares: the facts of the widget, and the service's events, handled as in `handwritten.html`. */

export interface Facts {
  saved: string;
  before: string;
  options: string;
  left: number;
}

interface Variant {
  price: number;
  price_undiscounted: number;
  weight: number | null;
  stock: number | null;
  options: readonly { title: string }[];
}
type Item = Omit<Variant, "options">;
type SetContent = (content: string | Element) => void;
type Callback = (
  event: unknown,
  init: () => { setContent: SetContent },
  params: { item: Item },
  updated?: { selectedVariant?: Variant | null },
) => void;
declare const svcPlugins: { subscribeEvent(name: string, callback: Callback): void } | undefined;

export const CLASS = "saving-a1b2c3";

const facts = (item: Item, variant: Variant | null | undefined): Facts | null => {
  const saved = item.price_undiscounted - item.price;
  if (saved <= 0) return null;
  return {
    saved: "Ietaupiet €" + saved.toFixed(2),
    before: "€" + item.price_undiscounted.toFixed(2),
    options: variant ? variant.options.map((option) => option.title).join(", ") : "",
    left: item.stock && item.stock < 4 ? item.stock : 0,
  };
};

/**
 * Subscribes to both events. `start` is called with the service's setContent at the base event. The function that it
 * returns is called at this event and at each update.
 */
export const subscribe = (start: (setContent: SetContent) => (facts: Facts | null) => void): void => {
  let show: ((facts: Facts | null) => void) | undefined;

  const draw: (...args: [params: { item: Item }, variant?: Variant | null]) => void = ({ item }, variant) => {
    try {
      show?.(facts({ ...item, ...variant, weight: variant?.weight ?? item.weight }, variant));
    } catch (error) {
      console.error("saving", error);
    }
  };

  if (typeof svcPlugins == "undefined") return;
  svcPlugins.subscribeEvent("svc-content-after-price", (_event, init, params) => {
    const handler = init();
    show = start((content) => handler.setContent(content));
    draw(params);
  });
  svcPlugins.subscribeEvent("svc-content-after-price-updated", (_event, _init, params, updated) =>
    draw(params, updated?.selectedVariant),
  );
};
