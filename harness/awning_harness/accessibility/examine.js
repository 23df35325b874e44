/* Runs axe-core on the blocks in a slot, in one evaluation: the rules with `tags`, then contrast in each theme.
 *
 * To show a theme, the shop's style sheets are replaced at their position in the head, so that the widget's style sheets
 * come after them, as on a page of that theme. Returns a list of violations, each once, with its themes.
 */
async ({ selector, themes, tags }) => {
  if (!document.querySelector(selector)) {
    delete globalThis.axe; // else it would be reported as a global of the widget
    return [];
  }
  const finish = (animation) => (animation.effect?.getComputedTiming().endTime === Infinity ? animation.cancel() : animation.finish());
  const shop = [...document.head.querySelectorAll('link[rel="stylesheet"]')];
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

  await examine(null, { runOnly: { type: "tag", values: tags } });
  const { dir } = document.documentElement;
  shop.at(-1)?.after(replacement);
  for (const link of shop) link.disabled = true;
  for (const { name, style, direction } of themes) {
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
