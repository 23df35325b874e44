/**
 * Escapers for addresses inside `url(...)` of a style, quoted or not. They are filtered and encoded like a picture's
 * address, then written with CSS escapes. No result has a special character of HTML, a quote or a parenthesis.
 */

import { PICTURE, encode, escapeUrlEncoded, escapeUrlPart, escapeUrlPath, escapeUrlRoot, escapeUrlRootEncoded, isGood, normalize } from "./url.ts";

const written = (url: string): string =>
  url.replace(/[^\w\-.~:/?#@!$*+,;=%\u00a1-\uffff]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `);

/** Escape a whole address. A refused address is replaced by one that loads nothing. */
export const escapeCssUrl = (text: string): string => {
  const url = normalize(text);
  return isGood(url) || PICTURE.test(url) ? written(url.replace(/[\0- "<>\\^`{|}\x7f]/g, encode)) : "about:invalid#awning";
};

export const escapeCssUrlPart = (text: string): string => written(escapeUrlPart(text));
export const escapeCssUrlPath = (text: string): string => written(escapeUrlPath(text));
export const escapeCssUrlRoot = (text: string): string => written(escapeUrlRoot(text));
export const escapeCssUrlEncoded = (text: string): string => written(escapeUrlEncoded(text));
export const escapeCssUrlRootEncoded = (text: string): string => written(escapeUrlRootEncoded(text));
