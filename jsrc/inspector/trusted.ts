/**
 * HTML on a page that requires Trusted Types. The policy has the name of the runtime's, which such a shop allows. It is
 * made only after the page has refused a string: where a shop allows one policy of a name, the widgets must get it.
 */
interface Policy {
  createHTML(html: string): string;
}
declare const self: { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };

let policy: Policy | undefined;

/** Call `use` with HTML as the page takes it. Throws what the page throws where it allows no policy of this name. */
export function useHtml<Result>(html: string, use: (html: string) => Result): Result {
  if (!policy) {
    try {
      return use(html);
    } catch (error) {
      if (!self.trustedTypes) throw error;
      policy = self.trustedTypes.createPolicy("awning", { createHTML: String });
    }
  }
  return use(policy.createHTML(html));
}
