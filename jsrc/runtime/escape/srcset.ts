/** Escapers for a whole srcset, and for one descriptor. */

import { escapeImageUrl } from "./url.ts";

const DESCRIPTOR = /^[\d.eE+-]*[wxh]?$/;

/**
 * Escape a srcset such as "a.jpg 1x, b.jpg 2x". Addresses are filtered, and a candidate with a bad descriptor is left
 * out.
 */
export const escapeSrcset = (text: string): string => {
  const candidates: string[] = [];
  for (const match of text.matchAll(/([^\s,]\S*[^\s,]|[^\s,])(?:,|\s+([^,]*))?/g)) {
    const descriptor = (match[2] || "").trim();
    if (DESCRIPTOR.test(descriptor)) candidates.push(escapeImageUrl(match[1] as string) + (descriptor && " " + descriptor));
  }
  return candidates.join(", ");
};

export const escapeSrcsetDescriptor = (text: string): string => (text.match(DESCRIPTOR) ? text : "");
