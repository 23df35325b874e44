/**
 * HTML under Trusted Types. Where strings are refused (`require-trusted-types-for 'script'`, on a page without jQuery)
 * the one policy `awning` makes trusted HTML of what the templates have escaped, and setContent gets an element
 * (observed to be accepted). Whether strings are refused cannot be asked, only tried.
 */
import type { SetContent } from "./slot.ts";

interface Policy {
  createHTML(html: string): string;
}
declare const trustedTypes: { createPolicy(name: string, rules: Policy): Policy };

let policy: Policy | undefined;

/** Call `take` with `html`, or where that is refused with trusted HTML in an element of its own. */
export const put = (take: SetContent, html: string): void => {
  try {
    take(html);
  } catch (error) {
    if (typeof trustedTypes == "undefined") {
      throw error;
    }
    const element = document.createElement("div");
    policy ||= trustedTypes.createPolicy("awning", { createHTML: String });
    element.innerHTML = policy.createHTML(html);
    take(element.firstChild as Node);
  }
};

/** The nodes of `html`, in a fragment. Scripts in it do not run. */
export const parse = (html: string): Node => {
  let parsed: Node | undefined;
  put((content) => {
    const template = document.createElement("template");
    parsed = content as Node;
    if (typeof content == "string") {
      template.innerHTML = content;
      parsed = template.content.firstChild as Node;
    }
  }, `<div>${html}</div>`);
  return parsed as Node;
};
