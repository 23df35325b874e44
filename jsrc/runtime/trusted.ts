/**
 * HTML under Trusted Types. Where strings are refused (`require-trusted-types-for 'script'`, on a page without jQuery)
 * the one policy `awning` makes trusted HTML of what the templates have escaped, and setContent gets an element
 * (observed to be accepted). Whether strings are refused cannot be asked, only tried.
 */
import type { Content } from "./slot.ts";

export interface Policy {
  createHTML(html: string): string;
}
declare const self: { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };

let policy: Policy | undefined;

/** Set `html`, or where that is refused trusted HTML in an element of its own. */
export const put = (content: Content, html: string): void => {
  try {
    content.setContent(html);
  } catch (error) {
    if (!self.trustedTypes) {
      throw error;
    }
    const element = document.createElement("div");
    policy ||= self.trustedTypes.createPolicy("awning", { createHTML: String });
    element.innerHTML = policy.createHTML(html);
    content.setContent(element.firstChild as Node);
  }
};

/** The nodes of `html`, in a fragment. Scripts in it do not run. */
export const parse = (html: string): Node => {
  let parsed: Node | undefined;
  const setContent = (content: string | Node): void => {
    const template = document.createElement("template");
    parsed = content as Node;
    if (typeof content == "string") {
      template.innerHTML = content;
      parsed = template.content.firstChild as Node;
    }
  };
  put({ setContent }, `<div>${html}</div>`);
  return parsed as Node;
};
