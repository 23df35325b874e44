/** What compiled templates import; each function takes and returns a string. Which one stands where: src/awning/template/html. */

export { escapeCssString, escapeCssValue } from "./css";
export { escapeMarkupInAttribute, escapeMarkupInRcdata } from "./markup";
export { escapeSrcset, escapeSrcsetDescriptor } from "./srcset";
export { escapeText } from "./text";
export {
  escapeImageUrl,
  escapeUrl,
  escapeUrlEncoded,
  escapeUrlPart,
  escapeUrlPath,
  escapeUrlRest,
  escapeUrlRoot,
  escapeUrlRootEncoded,
} from "./url";
