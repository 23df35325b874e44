/**
 * `awning/run`: the generated entry of a snippet calls it once per widget.
 *
 *     import { run, appData, oneLanguage, byLanguage, plurals, replace, keep, shadow, later } from "awning/run";
 *     import w0 from "./widgets/delivery-estimate/widget.ts";
 *     const data = appData("my-app");
 *     const d0 = data("delivery-estimate", { days: 3 });
 *     d0 && run("delivery-estimate", "aw-1a2b3c", w0, (page) => (
 *       page = d0.page(page), { page, language: page.language, data: d0.data, t: oneLanguage({ arrives: "..." }) }
 *     ), keep);
 *
 * Arguments are positional, and helpers are passed as arguments instead of options: every name and every unused branch
 * would ship with each snippet.
 *
 *   name      the widget's name: its key in the app data, and part of the console's message when it fails
 *   className the class of the element around its HTML, to which its style is scoped
 *   slots     the default export of widget.ts: one slot or several
 *   common    makes the arguments of every render function, from the delivered page or an empty one:
 *             page      the page; with `d0.page(page)` the placeholder's language replaces a missing one
 *             language  the page's language
 *             data      the widget's data from `appData(app)(name, defaults)`; {} without a data.schema.json.
 *                       `defaults` are those of data.schema.json, nested like the data. The result is 0 when the
 *                       app data turn the widget off: do not run it then
 *             t         oneLanguage(texts)                                         in a language's snippet
 *                       byLanguage({ lv: texts, en: texts }, "lv", page.language)  in the default snippet
 *                       ("lv" is the fallback)
 *                       texts: { key: "text" }, or plurals("lv", { key: { one: "...", other: "..." } })
 *                       String if the widget has no messages
 *   insert    `replace`: each change replaces the widget's HTML. `keep`: each change is patched into it, so that focus,
 *             caret, typed values, scrolling and open details survive; pass it when the widget has anything that a
 *             shopper can focus, type into, open or scroll. `shadow(css)`: like keep, inside an open shadow root with
 *             its own style. A widget that uses `live` needs one of these two.
 *             `later(name, replace)`, `later(name, keep)`, ...: when the render function may be async
 *
 * The runtime calls initContentHandler itself, once, synchronously, in the base event's callback. It catches each
 * exception of a widget: the last good content stays, and the console shows the first exception.
 */
import type { Page } from "../types/index.ts";
import type { Common, Insert, Render, Rendered, Show, Slot } from "./slot.ts";
import { tell } from "./beacon.ts";

export { appData } from "./data.ts";
export { keep } from "./keep.ts";
export { later } from "./later.ts";
export { byLanguage, oneLanguage, plurals } from "./messages.ts";
export { replace } from "./replace.ts";
export { shadow } from "./shadow.ts";

interface Delivered {
  page?: Page;
}

export const run = (
  name: string,
  className: string,
  slots: Slot | readonly Slot[],
  common: (page: Page) => Common,
  insert: Insert,
): void => {
  let failed = 0;

  (slots.flat() as Slot[0][]).map((slot) =>
    slot((events, render, args) => {
      let show: Show | undefined;
      let given: Common;
      let early: unknown;

      events.map(
        (event, updated) =>
          // The service's global may be missing.
          typeof AWNING_GLOBAL != "undefined" &&
          AWNING_GLOBAL.subscribeEvent<Delivered, unknown>(event, (_event, init, param, update) => {
            try {
              if (updated) {
                // An update before its base event is stored for later.
                early = update;
              } else {
                update = !show && early;
                given = common(param.page || ({} as Page));
                show = insert(init(), className);
              }
              show?.((render as unknown as Render<object>)({ ...given, ...args(param as never, update as never) }) as Rendered);
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
};
