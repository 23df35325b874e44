/**
 * HTML under Trusted Types. A page with `require-trusted-types-for 'script'` refuses strings in setContent. `put` tries a
 * string first, because only the exception tells that the page refuses it. Then the policy `awning` makes trusted HTML
 * from the template's escaped output, and setContent gets an element instead (observed to work without jQuery). After
 * that no string is tried, because the browser reports each as an error.
 */
import type { Content } from "./slot.ts";

export interface Policy {
  createHTML(html: string): string;
}
declare const self: { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };

let policy: Policy | undefined;
let refusesStrings = false;

/** Set `html`, or trusted HTML in an element if the page refuses strings. */
export const put = (content: Content, html: string): void => {
  try {
    if (!refusesStrings) {
      content.setContent(html);
      return;
    }
  } catch (error) {
    if (!self.trustedTypes) {
      throw error;
    }
    policy ||= self.trustedTypes.createPolicy("awning", { createHTML: String });
  }
  const element = document.createElement("div");
  element.innerHTML = (policy as Policy).createHTML(html);
  content.setContent(element.firstChild as Node);
  refusesStrings = true;
};

/** Parse `html` into nodes with one parent. Its scripts do not run. */
export const parse = (html: string): Element => {
  let parsed: Element | undefined;
  const setContent = (content: string | Node): void => {
    const template = document.createElement("template");
    parsed = content as Element;
    if (typeof content == "string") {
      template.innerHTML = content;
      parsed = template.content.firstChild as Element;
    }
  };
  put({ setContent }, `<div>${html}</div>`);
  return parsed as Element;
};
