/**
 * Decodes character references like Python's html.unescape.
 *
 * The browser's parser has all 2231 names. Outside a page only the usual names are decoded; any other is an error.
 */

import { parse } from "../../trusted.ts";
import { fail } from "../thing";

const USUAL: Record<string, string> = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", copy: "©", reg: "®", trade: "™", euro: "€", pound: "£",
  hellip: "…", mdash: "—", ndash: "–", laquo: "«", raquo: "»", lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", middot: "·",
  bull: "•", times: "×", deg: "°", eacute: "é", auml: "ä", ouml: "ö", uuml: "ü", szlig: "ß",
};

function usual(reference: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return Object.prototype.hasOwnProperty.call(USUAL, name) ? (USUAL[name] as string) : fail(`${reference} is not known here`);
  const code = decimal ? Number(decimal) : parseInt(hexadecimal as string, 16);
  const plain = (code >= 32 && code < 127) || (code >= 160 && code < 0xd800) || (code > 0xdfff && code < 0x110000);
  return plain ? String.fromCodePoint(code) : fail(`${reference} is not known here`);
}

/** Remove references to controls and noncharacters, like Python. */
function withoutInvalid(reference: string, hexadecimal?: string, decimal?: string): string {
  const code = hexadecimal ? parseInt(hexadecimal, 16) : Number(decimal);
  const control = code > 0 && code < 32 && ![9, 10, 12, 13].includes(code);
  const never = (code >= 0xfdd0 && code <= 0xfdef) || ((code & 0xfffe) === 0xfffe && code < 0x110000);
  return control || code === 127 || never ? "" : reference;
}

export function unescaped(source: string): string {
  if (!source.includes("&")) return source;
  const text = source.replace(/&#(?:[xX]([0-9a-fA-F]+)|(\d+));?/g, withoutInvalid);
  if (typeof document !== "undefined") return parse(text.replace(/</g, "&lt;")).textContent as string;
  return text.replace(/&(?:#(\d+);?|#[xX]([0-9a-fA-F]+);?|([a-zA-Z][a-zA-Z0-9]*);)/g, usual);
}
