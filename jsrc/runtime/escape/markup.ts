/**
 * Markup (`|safe`) where it is not markup: its references stay references, but it cannot end what it stands in.
 * Between tags Markup needs no function: it is printed as it is.
 */

export const escapeMarkupInAttribute = (html: string): string =>
  html.replace(/["']/g, (quote) => (quote === '"' ? "&#34;" : "&#39;"));

export const escapeMarkupInRcdata = (html: string): string => html.replace(/</g, "&lt;");
