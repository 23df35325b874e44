/** The function `run`, which the entry of a snippet calls once per widget. `run.ts` describes its arguments. */
import type { Page } from "../types/index.ts";
import type { Common, Insert, MakeCommon, Render, Rendered, Show, Slot } from "./slot.ts";
import { delivery, tell } from "./beacon.ts";

interface Delivered {
  page?: Page;
}

export const run = (
  name: string,
  className: string,
  slots: Slot | readonly Slot[],
  insert: Insert,
  common: MakeCommon | false,
): void => {
  let failed = 0;

  if (common) {
    (slots.flat() as Slot[0][]).map((slot) =>
      slot((events, render, args) => {
        let show: Show | undefined;
        let shared: Common;
        let early: unknown;

        events.map(
          (event, updated) =>
            // The service's global may be missing.
            typeof AWNING_GLOBAL != "undefined" &&
            AWNING_GLOBAL.subscribeEvent<Delivered, unknown>(event, (_event, init, param, update) => {
              if (AWNING_BEACON) {
                delivery.event = event;
                delivery.widget = name;
              }
              try {
                if (updated) {
                  // An update before its base event is stored for later.
                  early = update;
                } else {
                  update = !show && early;
                  shared = common(param.page || ({} as Page), {});
                  show = insert(init(), className);
                }
                // The same object for each event of a host, so that `mounted` and `redrawn` have the newest values.
                show?.((render as unknown as Render<object>)(Object.assign(shared, args(param as never, update as never))) as Rendered);
              } catch (error) {
                if (!failed++) {
                  console.error(name, error);
                  if (AWNING_BEACON) {
                    tell(name, error);
                  }
                }
              }
            }),
        );
      }),
    );
  }
};
