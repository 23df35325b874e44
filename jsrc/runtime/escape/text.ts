/**
 * Text, RCDATA and quoted plain attributes: the bytes of markupsafe's escape. Every template uses this one escaper.
 *
 * A clean string is found by one test and returned itself. A dirty one is read once and copied in slices, which takes
 * half to a third of the time of a replace with a table (benchmarks/escape). `{` counts only before the prefix of the
 * service's placeholders: one that comes back in a value must not be a placeholder when the rendered HTML is stored and
 * served again. The DOM is the same.
 */

declare const AWNING_PLACEHOLDER_PREFIX: string;

/** How the names of the service's placeholders begin. */
export const PREFIX = typeof AWNING_PLACEHOLDER_PREFIX === "string" ? AWNING_PLACEHOLDER_PREFIX : "svc_";
const SPECIAL = /["&'<>{]/;

/**
 * Throws TypeError for what is no string, which a declared variable may be: only strings have `substring`, and that of a
 * whole string is the string itself. Short, so that engines compile it into its callers.
 */
export const escapeText = (text: string): string => (SPECIAL.test(text) ? escapeDirty(text) : text.substring(0));

function escapeDirty(text: string): string {
  let out = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
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
