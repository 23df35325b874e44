/**
 * Escapers for values in URLs. A value that begins a URL is filtered by its scheme, as the browser reads it. A later value
 * is encoded so that it stays in its part, if the part is known. All results are safe inside a quoted attribute.
 */

import { escapeText } from "./text.ts";

/** The result for a refused URL. It loads nothing, and its name shows its origin. */
const REFUSED = "about:invalid#awning";

const SCHEME = /^([^:/?#\\]*):/;
const GOOD = /^(?:https?|mailto|tel|sms)$/i;
export const PICTURE = /^data:image\/(?:png|gif|jpe?g|webp|avif)[;,]/i;

/** Percent-encode. Lone surrogates are replaced, because encodeURIComponent throws for them. */
export const encode = (part: string): string => encodeURIComponent(part.replace(/[\ud800-\udfff]/gu, "\ufffd"));

/** Remove the characters that browsers remove before they read a URL (WHATWG URL, 4.4). */
export const normalize = (url: string): string => url.replace(/^[\0- ]+|[\0- ]+$|[\t\n\r]/g, "");

/** Percent-encode the characters that a URL must not contain, and escape the result for HTML. */
const tidy = (url: string): string => escapeText(url.replace(/[\0- "<>\\^`{|}\x7f]/g, encode));

export const isGood = (url: string): boolean => {
  const scheme = SCHEME.exec(url);
  return !scheme || GOOD.test(scheme[1] as string);
};

/** Escape a value at the beginning of an address. */
export const escapeUrl = (text: string): string => {
  const url = normalize(text);
  return isGood(url) ? tidy(url) : REFUSED;
};

/** Escape a value at the beginning of a picture's address. Inline raster images are allowed, too. */
export const escapeImageUrl = (text: string): string => {
  const url = normalize(text);
  return isGood(url) || PICTURE.test(url) ? tidy(url) : REFUSED;
};

/** Escape a value after an unknown beginning of a URL. It may be any part of the URL, but cannot complete a scheme. */
export const escapeUrlRest = (text: string): string => {
  const url = normalize(text);
  const part = /^[^/?#\\]*/.exec(url) as RegExpExecArray;
  return tidy(part[0].replace(/:/g, "%3A") + url.slice(part[0].length)).replace(/,/g, "%2C");
};

/** Escape one component: a name or value of a query, a fragment, a label of a host. */
export const escapeUrlPart = (text: string): string => encode(text).replace(/'/g, "%27");

/**
 * Escape one segment of the path of an iframe's address. A segment that consists of dots is removed, because `..` would
 * leave the folder that the author wrote.
 */
export const escapeUrlSegment = (text: string): string => (text.match(/^\.+$/) ? "" : escapeUrlPart(text));

/** Escape path segments. Slashes stay. */
export const escapeUrlPath = (text: string): string =>
  text.replace(/[^\w\-.~!*/:@+$;=]+/g, escapeUrlPart);

/**
 * Escape path segments after a slash. `./` is put before a text that is empty or begins with a slash or a backslash, so
 * that no `//host` can arise.
 */
export const escapeUrlRoot = (text: string): string => root(text) + escapeUrlPath(text);

/** Escape a value that is already percent-encoded. */
export const escapeUrlEncoded = (text: string): string =>
  text.replace(/%(?![\da-f]{2})|[^\w\-.~!*/:@+$;=%]+/gi, escapeUrlPart);

export const escapeUrlRootEncoded = (text: string): string => root(text) + escapeUrlEncoded(text);

const root = (text: string): string => (/^[^/\\]/.test(text) ? "" : "./");
