/**
 * `awning/run`: what the generated entry of a snippet calls, once per widget.
 *
 *     import { run, appData, oneLanguage, byLanguage, plurals, replace, keep, shadow, later } from "awning/run";
 *     import w0 from "./widgets/delivery-estimate/widget.ts";
 *     const data = appData("my-app");
 *     const d0 = data("delivery-estimate", { days: 3 });
 *     d0 && run("delivery-estimate", "aw-1a2b3c", w0, (page) => (
 *       page = d0.page(page), { page, language: page.language, data: d0.data, t: oneLanguage({ arrives: "..." }) }
 *     ), keep);
 *
 * Arguments are positional and helpers are passed in, not switched on, because every name and every unused branch
 * would be shipped with each snippet:
 *
 *   name      the widget's name: its key in the app data, and what the console says when it fails
 *   className of the element around its HTML, which its style is scoped to
 *   slots     the default export of widget.ts: one slot or several
 *   common    makes what every render function gets, from the page that the service delivered, or an empty one:
 *             page      the page; with `d0.page(page)` its language is the placeholder's where it names none
 *             language  the page's
 *             data      what `appData(app)(name, defaults)` has for this widget; {} where it has no data.schema.json.
 *                       `defaults` are those of data.schema.json, nested as the data is. It is 0 when the app data
 *                       turn the widget off: then do not run it
 *             t         oneLanguage(texts)                                         in a language's snippet
 *                       byLanguage({ lv: texts, en: texts }, "lv", page.language)  in the default one; "lv" stands in
 *                       texts: { key: "text" }, or plurals("lv", { key: { one: "...", other: "..." } })
 *                       String where the widget has no messages
 *   insert    `replace`: each change replaces the widget's HTML. `keep`: a change is patched into it, so that focus,
 *             caret, typed values, scrolling and open details survive; pass it when a template or the script of the
 *             widget has anything a shopper can focus, type into, open or scroll. `shadow(css)`: as keep, inside an
 *             open shadow root with its own style. A widget that uses `live` needs one of the two.
 *             `later(name, replace)`, `later(name, keep)`, ...: when the render function may be async
 *
 * The runtime calls initContentHandler itself, once, synchronously, in the base event's callback. An exception of a
 * widget never leaves it: the last good content stays, and the console says so once.
 */
import type { Page } from "../types/index.ts";
import type { Common, Insert, Render, Rendered, Show, Slot } from "./slot.ts";
import { tell } from "./tell.ts";

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
          // Nothing promises that the service's global is there.
          typeof AWNING_GLOBAL != "undefined" &&
          AWNING_GLOBAL.subscribeEvent<Delivered, unknown>(event, (_event, init, param, update) => {
            try {
              if (updated) {
                // Before its base event an update can only be remembered.
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
