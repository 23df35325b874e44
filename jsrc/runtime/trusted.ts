/**
 * HTML under Trusted Types. Where strings are refused (`require-trusted-types-for 'script'`, on a page without jQuery)
 * the one policy `awning` makes trusted HTML of what the templates have escaped, and setContent gets an element
 * (observed to be accepted). Whether strings are refused cannot be asked: the first one that is tells.
 */
import type { SetContent } from "./slot.ts";

interface Policy {
  createHTML(html: string): string;
}
declare const trustedTypes: { createPolicy(name: string, rules: Policy): Policy };

let policy: Policy | undefined;

/** The nodes of `html`, in a fragment. Scripts in it do not run. */
export const parse = (html: string): DocumentFragment => {
  const template = document.createElement("template");
  template.innerHTML = policy ? policy.createHTML(html) : html;
  return template.content;
};

/** setContent with `html`, which is one element. */
export const put = (setContent: SetContent, html: string): void => {
  try {
    setContent(policy ? (parse(html).firstChild as Node) : html);
  } catch (refused) {
    if (policy) {
      throw refused;
    }
    policy = trustedTypes.createPolicy("awning", { createHTML: String });
    put(setContent, html);
  }
};
