/**
 * Values in URLs. A value that begins a URL is filtered by scheme, as the browser will see it; a value further on is
 * encoded so that it stays in its part. All results are safe inside a quoted attribute.
 */

import { escapeText } from "./text.ts";

/** Goes nowhere, loads nothing, and says where it came from. */
const REFUSED = "about:invalid#awning";

const SCHEME = /^([^:/?#\\]*):/;
const GOOD = /^(?:https?|mailto|tel|sms)$/i;
export const PICTURE = /^data:image\/(?:png|gif|jpe?g|webp|avif)[;,]/i;

/** Lone surrogates have no UTF-8: encodeURIComponent would throw. */
export const encode = (part: string): string => encodeURIComponent(part.replace(/[\ud800-\udfff]/gu, "\ufffd"));

/** What browsers remove before they read a URL (WHATWG URL, 4.4). */
export const normalize = (url: string): string => url.replace(/^[\0- ]+|[\0- ]+$|[\t\n\r]/g, "");

/** What a URL never holds unencoded, and `,`, which ends a srcset's candidate. */
const tidy = (url: string): string => escapeText(url.replace(/[\0- "<>\\^`{|}\x7f]/g, encode));

export const isGood = (url: string): boolean => {
  const scheme = SCHEME.exec(url);
  return !scheme || GOOD.test(scheme[1] as string);
};

/** A value that gives the beginning of an address. */
export const escapeUrl = (text: string): string => {
  const url = normalize(text);
  return isGood(url) ? tidy(url) : REFUSED;
};

/** The same for a picture: also inline raster images. */
export const escapeImageUrl = (text: string): string => {
  const url = normalize(text);
  return isGood(url) || PICTURE.test(url) ? tidy(url) : REFUSED;
};

/** After something unknown: may go on with any part, but no colon of it can end a scheme. */
export const escapeUrlRest = (text: string): string => {
  const url = normalize(text);
  const part = /^[^/?#\\]*/.exec(url) as RegExpExecArray;
  return tidy(part[0].replace(/:/g, "%3A") + url.slice(part[0].length)).replace(/,/g, "%2C");
};

/** One component: a query's name or value, a fragment, a host's label. */
export const escapeUrlPart = (text: string): string => encode(text).replace(/'/g, "%27");

/** A component of a frame's path: dots alone would climb out of the folder the author fixed. */
export const escapeUrlSegment = (text: string): string => (/^\.+$/.test(text) ? "" : escapeUrlPart(text));

/** Path segments: slashes stay. */
export const escapeUrlPath = (text: string): string =>
  text.replace(/[^\w\-.~!*/:@+$;=]+/g, escapeUrlPart);

/** Path segments right after a leading slash: must not make `//host` of it, also not with the slash that follows. */
export const escapeUrlRoot = (text: string): string => root(text) + escapeUrlPath(text);

/** For values that are percent-encoded already. */
export const escapeUrlEncoded = (text: string): string =>
  text.replace(/%(?![\da-f]{2})|[^\w\-.~!*/:@+$;=%]+/gi, escapeUrlPart);

export const escapeUrlRootEncoded = (text: string): string => root(text) + escapeUrlEncoded(text);

const root = (text: string): string => (/^[^/\\]/.test(text) ? "" : "./");
