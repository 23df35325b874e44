/* Runs axe-core on the blocks in a slot, in one evaluation: the rules with `tags`, then contrast in each theme. Before, it
 * looks for `references` (attributes with ids) that find another element than the one in their block.
 *
 * To show a theme, the shop's style sheets are replaced at their position in the head, so that the widget's style sheets
 * come after them, as on a page of that theme. Returns a list of violations, each once, with its themes.
 */
async ({ selector, themes, tags, references }) => {
  if (!document.querySelector(selector)) {
    delete globalThis.axe; // else it would be reported as a global of the widget
    return [];
  }
  const finish = (animation) => (animation.effect?.getComputedTiming().endTime === Infinity ? animation.cancel() : animation.finish());
  const shop = [...document.head.querySelectorAll('link[rel="stylesheet"], style[data-sheet]')];
  const replacement = document.createElement("style");
  const violations = new Map();

  const examine = async (theme, options) => {
    for (const animation of document.getAnimations()) finish(animation);
    const { violations: results } = await axe.run({ include: [selector] }, { resultTypes: ["violations"], preload: false, ...options });
    for (const { id, impact, help, helpUrl, nodes } of results) {
      for (const { html, target, failureSummary } of nodes) {
        const key = `${id} ${target.flat().join(" ")}`;
        const known = violations.get(key);
        if (known) known.themes.push(theme);
        else violations.set(key, { rule: id, impact, help, url: helpUrl, html, fix: failureSummary, themes: [theme] });
      }
    }
  };

  // axe-core leaves these to a person. The browser's own answer is enough: a reference finds the first element.
  const misled = (block) => {
    const root = block.getRootNode();
    const refers = [...block.querySelectorAll(references.map((name) => `[${name}]`).join())];
    return refers.flatMap((element) => references.flatMap((name) => (element.getAttribute(name) ?? "").split(/\s+/).filter((id) => {
      const [first, ...others] = id ? root.querySelectorAll(`#${CSS.escape(id)}`) : [];
      const own = [first, ...others].filter((other) => other && block.contains(other));
      const isAlone = own.length === 1 && own[0] === first;
      const isNamed = name === "for" && first?.labels && block.contains(first) && !others.some((other) => other.labels);
      return others.length && own.length && !isAlone && !isNamed;
    }).map((id) => [element, name, id])));
  };
  for (const block of document.querySelectorAll(selector)) {
    const shadows = [block, ...block.querySelectorAll("*")].flatMap((element) => element.shadowRoot ?? []);
    for (const [element, name, id] of [block, ...shadows].flatMap(misled)) {
      violations.set(violations.size, {
        rule: "repeated-id", impact: "serious", help: "What a label or an aria- attribute refers to has an id of its own",
        url: "https://html.spec.whatwg.org/multipage/dom.html#the-id-attribute", html: element.outerHTML,
        fix: `${name}="${id}" finds the first of several elements with this id: give each an id of its own`, themes: [null],
      });
    }
  }
  await examine(null, { runOnly: { type: "tag", values: tags } });
  const { dir } = document.documentElement;
  const own = shop.map((sheet) => sheet.textContent).join("\n").trim();
  shop.at(-1)?.after(replacement);
  for (const link of shop) link.disabled = true;
  for (const { name, style, direction } of themes) {
    if (style.trim() === own && direction === (dir || "ltr")) continue; // the theme of the page itself
    replacement.textContent = style;
    document.documentElement.dir = direction;
    await examine(name, { runOnly: { type: "rule", values: ["color-contrast"] } });
  }
  document.documentElement.dir = dir;
  for (const link of shop) link.disabled = false;
  replacement.remove();
  delete globalThis.axe;
  return [...violations.values()];
}
