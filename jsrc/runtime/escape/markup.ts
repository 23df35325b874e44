/**
 * Markup (`|safe`, macros, block sets) where it is not markup. Between tags it needs no function: it is printed as it is.
 *
 * In quotes and in RCDATA it keeps its references and loses only what would end the place it stands in, so what Jinja2
 * prints there safely is printed unchanged. In addresses and styles it is first read as the text it shows: `|e` before
 * a URL must not escape twice, and `|safe` must not let one pass.
 */

import { escapeCssString, escapeCssValue } from "./css.ts";
import { escapeCssUrl, escapeCssUrlPart, escapeCssUrlPath, escapeCssUrlRoot } from "./css_url.ts";
import { escapeSrcset, escapeSrcsetDescriptor } from "./srcset.ts";
import {
  escapeImageUrl,
  escapeUrl,
  escapeUrlPart,
  escapeUrlPath,
  escapeUrlRest,
  escapeUrlRoot,
  escapeUrlSegment,
} from "./url.ts";

export const escapeMarkupInDoubleQuotes = (html: string): string => html.replace(/"/g, "&#34;");

export const escapeMarkupInSingleQuotes = (html: string): string => html.replace(/'/g, "&#39;");

/** Only `</` ends a title or a textarea; a last `<` could get its slash from what follows. */
export const escapeMarkupInRcdata = (html: string): string => html.replace(/<(?=\/|$)/g, "&lt;");

const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The text that escaped text shows. References that no escape function writes stay as they are. */
const shown = (html: string): string =>
  html.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (all: string, decimal?: string, hex?: string, name?: string) => {
    if (name) return NAMED[name.toLowerCase()] as string;
    const code = decimal ? +decimal : parseInt(hex as string, 16);
    return code > 0x10ffff ? all : String.fromCodePoint(code);
  });

export const escapeUrlOfMarkup = (html: string): string => escapeUrl(shown(html));
export const escapeImageUrlOfMarkup = (html: string): string => escapeImageUrl(shown(html));
export const escapeUrlRestOfMarkup = (html: string): string => escapeUrlRest(shown(html));
export const escapeUrlPartOfMarkup = (html: string): string => escapeUrlPart(shown(html));
export const escapeUrlPathOfMarkup = (html: string): string => escapeUrlPath(shown(html));
export const escapeUrlRootOfMarkup = (html: string): string => escapeUrlRoot(shown(html));
export const escapeUrlSegmentOfMarkup = (html: string): string => escapeUrlSegment(shown(html));
export const escapeSrcsetOfMarkup = (html: string): string => escapeSrcset(shown(html));
export const escapeSrcsetDescriptorOfMarkup = (html: string): string => escapeSrcsetDescriptor(shown(html));
export const escapeCssValueOfMarkup = (html: string): string => escapeCssValue(shown(html));
export const escapeCssStringOfMarkup = (html: string): string => escapeCssString(shown(html));
export const escapeCssUrlOfMarkup = (html: string): string => escapeCssUrl(shown(html));
export const escapeCssUrlPartOfMarkup = (html: string): string => escapeCssUrlPart(shown(html));
export const escapeCssUrlPathOfMarkup = (html: string): string => escapeCssUrlPath(shown(html));
export const escapeCssUrlRootOfMarkup = (html: string): string => escapeCssUrlRoot(shown(html));
