/**
 * `awning/run`: what the generated entry of a snippet calls, once per widget.
 *
 *     import { run, appData, oneLanguage, byLanguage, plurals, keep, shadow, later } from "awning/run";
 *     import w0 from "./widgets/delivery-estimate/widget.ts";
 *     const data = appData("my-app");
 *     const d0 = data("delivery-estimate", { days: 3 });
 *     d0 && run("delivery-estimate", "aw-1a2b3c", w0, oneLanguage({ arrives: "..." }), d0, keep);
 *
 * Arguments are positional and helpers are passed in, not switched on, because every name and every unused branch
 * would be shipped with each snippet:
 *
 *   name      the widget's name: its key in the app data, and what the console says when it fails
 *   className of the element around its HTML, which its style is scoped to
 *   slots     the default export of widget.ts: one slot or several
 *   messages  oneLanguage(texts)                        a language's snippet
 *             byLanguage({ lv: texts, en: texts }, "lv")    the default snippet; "lv" is the fallback
 *             texts: { key: "text" }, or plurals("lv", { key: { one: "...", other: "..." } }) when one has categories
 *             0 or left out when the widget has no messages
 *   data      what appData(app)(name, defaults) returned, 0 when the app data turn the widget off (then do not run it).
 *             `defaults` are those of data.schema.json, nested as the data is. undefined or left out when the widget
 *             has no data.schema.json
 *   insert    left out: each change replaces the widget's HTML. `keep`: a change is patched into it, so that focus,
 *             caret, typed values, scrolling and open details survive; pass it when a template or the script of the
 *             widget has anything a shopper can focus, type into, open or scroll. `shadow(css)`: as keep, inside an
 *             open shadow root with its own style. A widget that uses `live` needs one of the two.
 *             `later(name)`, `later(name, keep)`, `later(name, shadow(css))`: when the render function may be async
 *
 * The runtime calls initContentHandler itself, once, synchronously, in the base event's callback. An exception of a
 * widget never leaves it: the last good content stays, and the console says so once.
 */
import type { Page } from "../types/index.ts";
import type { WidgetData } from "./data.ts";
import type { Messages } from "./messages.ts";
import { replace } from "./replace.ts";
import type { Common, Insert, Show, Slot } from "./slot.ts";

export { appData } from "./data.ts";
export { keep } from "./keep.ts";
export { later } from "./later.ts";
export { byLanguage, oneLanguage, plurals } from "./messages.ts";
export { shadow } from "./shadow.ts";

interface Delivered {
  page?: Page;
}

const NO_DATA: WidgetData = { data: {}, page: (page) => page || ({} as Page) };

export const run = (
  name: string,
  className: string,
  slots: Slot | readonly Slot[],
  messages?: Messages | 0,
  data: WidgetData = NO_DATA,
  insert: Insert = replace,
): void => {
  let failed: unknown;

  [slots].flat().map((slot) =>
    (slot as Slot)((event, suffixes, draw) => {
      let show: Show | undefined;
      let common: Common;
      let early: unknown;

      suffixes.map(
        (suffix) =>
          // Nothing promises that the service's global is there.
          typeof AWNING_GLOBAL != "undefined" &&
          AWNING_GLOBAL.subscribeEvent<Delivered, unknown>(
            `${AWNING_EVENT_PREFIX}content-after-${event}${suffix}`,
            (_event, init, param, update) => {
              try {
                if (suffix) {
                  // Before its base event an update can only be remembered.
                  early = !show && update;
                } else {
                  const content = init();
                  const page = data.page(param.page);
                  common = {
                    ...data,
                    page,
                    language: page.language,
                    t: messages ? messages(page.language) : String,
                  };
                  show = insert((html) => content.setContent(html), className);
                  update = early;
                  early = 0;
                }
                show?.(draw(common, param as never, update));
              } catch (error) {
                if (!failed) {
                  console.error(name, (failed = error));
                }
              }
            },
          ),
      );
    }),
  );
};
