/**
 * `awning/run`: what the generated entry of a snippet calls, once per widget.
 *
 *     import { run, appData, oneLanguage, byLanguage, plurals, keep, shadow } from "awning/run";
 *     import w0 from "./widgets/delivery-estimate/widget.ts";
 *     const data = appData("my-app");
 *     run("delivery-estimate", "aw-1a2b3c", w0, oneLanguage({ arrives: "..." }, plurals("lv")), data, { days: 3 });
 *
 * Arguments are positional and helpers are passed in, not switched on, because every name and every unused branch
 * would be shipped with each snippet:
 *
 *   name      the widget's name: its key in the app data, and what the console says when it fails
 *   className of the element around its HTML, which its style is scoped to
 *   slots     the default export of widget.ts: one slot or several
 *   messages  oneLanguage(texts, plurals("lv"))              a language's snippet
 *             byLanguage({ lv: texts, en: texts }, "lv", plurals)    the default snippet; "lv" is the fallback
 *             plurals: left out when no text of the widget has plural categories
 *             0 or left out when the widget has no messages
 *   data      appData(app), shared by the unit's widgets; 0 or left out when the widget has no data.schema.json
 *   defaults  the defaults of data.schema.json, nested as the data is
 *   insert    left out: each change replaces the widget's HTML. `keep`: a change is patched into it, so that focus,
 *             caret, typed values, scrolling and open details survive; pass it when a template or the script of the
 *             widget has anything a shopper can focus, type into, open or scroll. `shadow(css)`: as keep, inside an
 *             open shadow root with its own style. A widget that uses `live` brings keep itself.
 *
 * The runtime calls initContentHandler itself, once, synchronously, in the base event's callback. An exception of a
 * widget never leaves it: the last good content stays, and the console says so once.
 */
import type { InitContentHandler, Page } from "../types/index.ts";
import type { AppData } from "./data.ts";
import type { Messages } from "./messages.ts";
import { put } from "./trusted.ts";
import type { Common, Draw, Insert, Rendered, Show, Slot } from "./slot.ts";

export { appData } from "./data.ts";
export { keep } from "./keep.ts";
export { byLanguage, oneLanguage, plurals } from "./messages.ts";
export { shadow } from "./shadow.ts";

interface Delivered {
  page?: Page;
}

/** Replace the whole content with each change. */
const replace: Insert = (setContent, className) => (html) =>
  put(setContent, `<div class="${className}">${html}</div>`);

export const run = (
  name: string,
  className: string,
  slots: Slot | readonly Slot[],
  messages?: Messages | 0,
  data?: AppData | 0,
  defaults: Record<string, unknown> = {},
  insert?: Insert,
): void => {
  let failed = 0;
  const fail = (error: unknown): void => {
    if (!failed++) {
      console.error(name, error);
    }
  };

  const start = ([slot, draw, lively]: Slot): void => {
    const event = `${AWNING_EVENT_PREFIX}content-after-${slot}`;
    let render: ((update?: unknown) => void) | undefined;
    let early: unknown;

    AWNING_GLOBAL.subscribeEvent(event, (_event, init: InitContentHandler<Delivered>, param: Delivered) => {
      try {
        const part = data ? data.part(name, defaults) : defaults;
        if (part) {
          const content = init();
          const language = param.page?.language || (data ? data.language : "");
          const common = { page: param.page || ({} as Page), data: part, t: messages ? messages(language) : String, language };
          const inserted = (lively ? lively(insert) : insert || replace)((html) => content.setContent(html), className);
          render = renderer(draw, common, param, inserted, fail);
          render(early);
          early = undefined;
        }
      } catch (error) {
        fail(error);
      }
    });
    slot != "cart" &&
      AWNING_GLOBAL.subscribeEvent(`${event}-updated`, (_event, _init, _param, update) => {
        render ? render(update) : (early = update);
      });
  };

  // Nothing promises that the service's global is there in the head, so wait once, then give up.
  const startAll = (waited?: unknown): void => {
    if (typeof AWNING_GLOBAL != "undefined") {
      for (const slot of (typeof slots[0] == "string" ? [slots] : slots) as Slot[]) {
        start(slot);
      }
    } else if (!waited) {
      addEventListener("DOMContentLoaded", startAll);
    }
  };
  startAll();
};

/** What draws for one host: the latest call wins, the same HTML is not put in again. */
const renderer = (draw: Draw, common: Common, param: unknown, insert: Show, fail: (error: unknown) => void) => {
  let calls = 0;
  let shown = "";
  return (update?: unknown): void => {
    const call = ++calls;
    const show = (html: Rendered): void => {
      if (call == calls && shown != (html ||= "")) {
        insert(html);
        shown = html;
      }
    };
    try {
      const rendered = draw(common, param as never, update);
      if (rendered && typeof rendered == "object") {
        rendered.then(show).then(null, fail);
      } else {
        show(rendered);
      }
    } catch (error) {
      fail(error);
    }
  };
};
