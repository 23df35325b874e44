/**
 * Escapers for Markup (`|safe`, macros, block sets) outside element content. In element content, Markup is not escaped.
 *
 * In quotes and in RCDATA, the Markup's character references stay. Only characters that would end the context are
 * escaped, so that the output is that of Jinja2 wherever that is safe. In URLs and styles, Markup is first decoded to text
 * and then escaped like any text. So a URL after `|e` is not escaped twice, and `|safe` lets no bad URL pass.
 */

import { escapeCssArgument, escapeCssString, escapeCssValue, escapeCssValueInElement } from "./css.ts";
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

/** Escape `</`, which alone ends a title or a textarea. A final `<` is escaped, too, because a slash may follow it. */
export const escapeMarkupInRcdata = (html: string): string => html.replace(/<(?=\/|$)/g, "&lt;");

const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Decode numeric references and the five names that escapers write. Any other reference stays unchanged. */
const decode = (html: string): string =>
  html.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (all: string, decimal?: string, hex?: string, name?: string) => {
    if (name) return NAMED[name.toLowerCase()] as string;
    const code = decimal ? +decimal : parseInt(hex as string, 16);
    return code > 0x10ffff ? all : String.fromCodePoint(code);
  });

export const escapeUrlOfMarkup = (html: string): string => escapeUrl(decode(html));
export const escapeImageUrlOfMarkup = (html: string): string => escapeImageUrl(decode(html));
export const escapeUrlRestOfMarkup = (html: string): string => escapeUrlRest(decode(html));
export const escapeUrlPartOfMarkup = (html: string): string => escapeUrlPart(decode(html));
export const escapeUrlPathOfMarkup = (html: string): string => escapeUrlPath(decode(html));
export const escapeUrlRootOfMarkup = (html: string): string => escapeUrlRoot(decode(html));
export const escapeUrlSegmentOfMarkup = (html: string): string => escapeUrlSegment(decode(html));
export const escapeSrcsetOfMarkup = (html: string): string => escapeSrcset(decode(html));
export const escapeSrcsetDescriptorOfMarkup = (html: string): string => escapeSrcsetDescriptor(decode(html));
export const escapeCssValueOfMarkup = (html: string): string => escapeCssValue(decode(html));
export const escapeCssValueInElementOfMarkup = (html: string): string => escapeCssValueInElement(decode(html));
export const escapeCssArgumentOfMarkup = (html: string): string => escapeCssArgument(decode(html));
export const escapeCssStringOfMarkup = (html: string): string => escapeCssString(decode(html));
export const escapeCssUrlOfMarkup = (html: string): string => escapeCssUrl(decode(html));
export const escapeCssUrlPartOfMarkup = (html: string): string => escapeCssUrlPart(decode(html));
export const escapeCssUrlPathOfMarkup = (html: string): string => escapeCssUrlPath(decode(html));
export const escapeCssUrlRootOfMarkup = (html: string): string => escapeCssUrlRoot(decode(html));
