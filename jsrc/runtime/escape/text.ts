/**
 * Text, RCDATA and quoted plain attributes: the bytes of markupsafe's escape.
 *
 * A clean string is found by one scan and returned itself. A dirty one is scanned once from its first special character
 * and copied in slices. `{` counts only before the service's placeholder prefix: a placeholder that comes back in a
 * value must not be one when the rendered HTML is stored and served again; in the DOM nothing changes.
 */

declare const AWNING_PLACEHOLDER_PREFIX: string;

const PREFIX = typeof AWNING_PLACEHOLDER_PREFIX === "string" ? AWNING_PLACEHOLDER_PREFIX : "svc_";
const SPECIAL = /["&'<>{]/;

export function escapeText(text: string): string {
  let at = text.search(SPECIAL);
  if (at < 0) return text;
  let out = "";
  let from = 0;
  for (; at < text.length; at++) {
    let entity: string;
    switch (text.charCodeAt(at)) {
      case 34: entity = "&#34;"; break;
      case 38: entity = "&amp;"; break;
      case 39: entity = "&#39;"; break;
      case 60: entity = "&lt;"; break;
      case 62: entity = "&gt;"; break;
      case 123:
        if (!text.startsWith(PREFIX, at + 1)) continue;
        entity = "&#123;";
        break;
      default: continue;
    }
    out += text.slice(from, at) + entity;
    from = at + 1;
  }
  return out + text.slice(from);
}
