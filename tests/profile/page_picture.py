"""What a dev page shows, as text, so that an open page can be compared with a fresh load of the same address."""

from dev_loop import DevLoop
from playwright.sync_api import Page

_PICTURE = r"""() => {
  const written = node => {
    if (!(node instanceof Element)) return node instanceof Text ? node.data : "";
    const attributes = [...node.attributes].filter(({ name }) => name !== "data-aw");
    const names = attributes.map(({ name, value }) => ` ${name}="${value}"`).sort().join("");
    const inner = parent => [...parent.childNodes].map(written).join("");
    const shadow = node.shadowRoot ? `<#shadow>${inner(node.shadowRoot)}</#shadow>` : "";
    return `<${node.localName}${names}>${shadow}${inner(node)}</>\n`;
  };
  const styles = [];
  let inSnippet = false;
  for (const node of document.body.childNodes) {
    if (node instanceof Comment && /^.?awning-snippet/.test(node.data)) inSnippet = !node.data.startsWith("/");
    if (inSnippet && node instanceof HTMLStyleElement) styles.push(node.textContent);
  }
  const title = document.title;
  return [title, written(document.querySelector("main")).replace(/\n\s+/g, "\n"), styles.join("")].join("\n");
}"""


def picture(tab: Page) -> str:
    """Return the page's title, the elements of its main part with shadow roots, and the styles of the snippets."""
    return str(tab.evaluate(_PICTURE))


def fresh_picture(loop: DevLoop, tab: Page) -> str:
    """Return the picture of the page's address after a fresh load in another tab."""
    other = tab.context.new_page()
    try:
        other.goto(tab.url)
        loop.wait_until_shown(other)
        return picture(other)
    finally:
        other.close()
