/**
 * `awning/run`: the generated entry of a snippet calls it once per widget.
 *
 *     import { run, appData, byLanguage, noMessages, oneLanguage, plurals, replace, keep, shadow, later } from "awning/run";
 *     import w0 from "./widgets/delivery-estimate/widget.ts";
 *     const data = appData("my-app");
 *     run("delivery-estimate", "aw-1a2b3c", w0, keep, data("delivery-estimate", { days: 3 }, oneLanguage({ arrives: "..." })));
 *
 * Arguments are positional, and helpers are passed as arguments. With named options, every name and every unused branch
 * would ship with each snippet.
 *
 *   name      the widget's name: its key in the app data, and part of the console's message when it fails
 *   className the class of the element around its HTML, to which its style is scoped
 *   slots     the default export of widget.ts: one slot or several
 *   insert    `replace`: each change replaces the widget's HTML. `keep`: each change is patched into it, so that focus,
 *             caret, typed values, scrolling and open details survive; pass it when the widget has anything that a
 *             shopper can focus, type into, open or scroll. `shadow(css)`: like keep, inside an open shadow root with
 *             its own style. A widget that uses `live` needs one of these two.
 *             `later(name, replace)`, `later(name, keep)`, ...: when the render function may be async
 *             `sampled(name, replace)`, ...: inside `later`, when some page views report the rendering
 *   common    makes the arguments of every render function:
 *             oneLanguage(texts)                      in a language's snippet
 *             byLanguage(["en"], { key: [...] })      in the default snippet; each list begins with the fallback's text
 *             noMessages                              if the widget has no messages
 *             A text is "text" or plurals("lv", { one: "...", other: "..." }).
 *             With a data.schema.json it is `appData(app)(name, defaults, common)`, which adds the widget's data.
 *             `defaults` are those of data.schema.json, nested like the data. If the page has no language, the
 *             language of the data element is used. The result is false if the app data turn the widget off; it then
 *             does not run.
 *
 * The runtime calls initContentHandler itself, once, synchronously, in the base event's callback. It catches each
 * exception of a render function: the last good content stays, and the console shows the first exception.
 */
export { sampled, tell } from "./beacon.ts";
export { appData } from "./data.ts";
export { keep } from "./keep.ts";
export { later } from "./later.ts";
export { byLanguage, noMessages, oneLanguage, plurals } from "./messages.ts";
export { replace } from "./replace.ts";
export { shadow } from "./shadow.ts";
export { run } from "./running.ts";
