/** A whole list of pictures, or the descriptor of one. */

import { escapeImageUrl } from "./url.ts";

const DESCRIPTOR = /^[\d.eE+-]*[wxh]?$/;

/** "a.jpg 1x, b.jpg 2x": each address filtered; what is not an address and a descriptor is left out. */
export const escapeSrcset = (text: string): string => {
  const candidates: string[] = [];
  const pattern = /([^\s,]\S*[^\s,]|[^\s,])(?:,|\s+([^,]*))?/g;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const descriptor = (found[2] || "").trim();
    if (DESCRIPTOR.test(descriptor)) candidates.push(escapeImageUrl(found[1] as string) + (descriptor && " " + descriptor));
  }
  return candidates.join(", ");
};

export const escapeSrcsetDescriptor = (text: string): string => (DESCRIPTOR.test(text) ? text : "");
