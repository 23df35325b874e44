/**
 * The look of a state's page that no server renders: that of the theme in the page's address, else that of the state's own
 * theme. It is loaded before the page's Content Security Policy, because it writes parts of the page.
 */
interface Look {
  /** The addresses of the style sheets. */
  sheets: string[];
  direction: string;
  /** The HTML of other apps around the widget's snippet. */
  before: string;
  after: string;
}

/** The part of the Trusted Types API that is used here. TypeScript's library does not have it yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(html: string): string }): { createHTML(html: string): string };
}

const { looks = "{}", own = "" } = document.currentScript?.dataset ?? {};
const known = new Map(Object.entries(JSON.parse(looks) as Record<string, Look>));
const look = known.get(new URLSearchParams(location.search).get("theme") ?? own) ?? known.get(own);

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
const policy = trustedTypes?.createPolicy("awning-gallery", { createHTML: (html) => html });
const write = (html: string): void => document.write(policy ? policy.createHTML(html) : html);

if (look) {
  document.documentElement.dir = look.direction;
  write(look.sheets.map((sheet) => `<link rel="stylesheet" href="${sheet}">`).join(""));
}

Object.defineProperty(globalThis, "awningLook", {
  value: Object.freeze({ write: (place: "before" | "after") => look?.[place] && write(look[place]) }),
});
