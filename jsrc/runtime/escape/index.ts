/**
 * The escapers for compiled templates. Each gets and returns a string. src/awning/template/html chooses among them.
 *
 * Each calls a method of strings on its argument, so it throws TypeError for any other value. Compiled templates rely on
 * this for variables that are declared as strings.
 */

export { escapeCssArgument, escapeCssString, escapeCssValue, escapeCssValueInElement } from "./css.ts";
export {
  escapeCssUrl,
  escapeCssUrlEncoded,
  escapeCssUrlPart,
  escapeCssUrlPath,
  escapeCssUrlRoot,
  escapeCssUrlRootEncoded,
} from "./css_url.ts";
export { escapeJson } from "./json.ts";
export { decode, escapeMarkupInDoubleQuotes, escapeMarkupInRcdata, escapeMarkupInSingleQuotes } from "./markup.ts";
export { escapeSrcset, escapeSrcsetDescriptor } from "./srcset.ts";
export { escapeText } from "./text.ts";
export {
  escapeImageUrl,
  escapeUrl,
  escapeUrlEncoded,
  escapeUrlPart,
  escapeUrlPath,
  escapeUrlRest,
  escapeUrlRoot,
  escapeUrlRootEncoded,
  escapeUrlSegment,
} from "./url.ts";
