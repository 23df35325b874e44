import { type Delivered, delivery, tell } from "./beacon.ts";
import { mount } from "./rooted.ts";
import type { Render, Rendered, Show } from "./slot.ts";
import type { ArgsOfASlot } from "./slots.ts";

/**
 * Return a render function whose content is drawn again each `ms` milliseconds, without an event, as for a countdown:
 * `afterPrice(redrawn(1000, render))`, also `redrawn(1000, live(render, ...))`. Each time, `render` gets the arguments of
 * the newest event, and must return at once. The first content must not be empty. It ends when the page has removed the
 * block, or when `render` throws.
 */
export const redrawn =
  <Args = ArgsOfASlot>(ms: number, render: (args: Args) => Rendered): Render<Args> =>
  (args) => {
    const rendered = render(args);
    return Object.assign(new String(rendered || ""), {
      mounted: (root: Element, show: Show) => {
        mount(rendered, root, show);
        const own = (AWNING_BEACON && { ...delivery }) as Delivered;
        const timer = setInterval(() => {
          try {
            if (root.isConnected) {
              show(render(args));
              return;
            }
          } catch (error) {
            console.error(error);
            if (AWNING_BEACON) {
              tell(own.widget as string, error, own.event);
            }
          }
          clearInterval(timer);
        }, ms);
      },
    });
  };
