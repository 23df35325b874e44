/**
 * Escapers for Markup (`|safe`, macros, block sets) outside element content. In element content, Markup is not escaped.
 *
 * In quotes and in RCDATA, the Markup's character references stay. Only characters that would end the context are
 * escaped, so that the output is that of Jinja2 wherever that is safe. In URLs and styles, where HTML has no meaning,
 * Markup is first decoded to text and then escaped like any text. So a URL after `|e` is not escaped twice, and `|safe`
 * lets no bad URL pass.
 */

export const escapeMarkupInDoubleQuotes = (html: string): string => html.replace(/"/g, "&#34;");

export const escapeMarkupInSingleQuotes = (html: string): string => html.replace(/'/g, "&#39;");

/** Escape `</`, which alone ends a title or a textarea. A final `<` is escaped, too, because a slash may follow it. */
export const escapeMarkupInRcdata = (html: string): string => html.replace(/<(?=\/|$)/g, "&lt;");

const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Decode numeric references and the five names that escapers write. Any other reference stays unchanged. */
export const decode = (html: string): string =>
  html.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (all: string, decimal?: string, hex?: string, name?: string) => {
    if (name) return NAMED[name.toLowerCase()] as string;
    const code = decimal ? +decimal : parseInt(hex as string, 16);
    return code > 0x10ffff ? all : String.fromCodePoint(code);
  });
