/** What compiled templates import; each function takes and returns a string. Which one stands where: src/awning/template/html. */

export { escapeCssString, escapeCssValue } from "./css.ts";
export { escapeMarkupInAttribute, escapeMarkupInRcdata } from "./markup.ts";
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
} from "./url.ts";
