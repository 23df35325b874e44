"""A handwritten snippet behaves the same on the page after `awning add widget --from`."""

import re
from pathlib import Path

import pytest
from project import Project

from awning.contract import Dialect
from awning.handwritten import convert_snippet
from awning_harness.storefront import FixedSnippets

SNIPPETS = Path(__file__).parent / "handwritten"

BADGE = """() => {
  const badge = document.querySelector(".badge"), dialog = document.getElementById("badge-dialog");
  const before = dialog.hidden;
  badge.click();
  const open = !dialog.hidden;
  dialog.querySelector("button").click();
  return { html: document.getElementById("content-after-price").innerHTML, before, open, after: dialog.hidden,
    border: getComputedStyle(badge).borderTopColor, bold: getComputedStyle(badge.querySelector("b")).color,
    seen: badge.dataset.seen, markup: dialog.outerHTML, ready: window.badgeReady, parsed: window.badgeParsed,
    config: JSON.parse(document.getElementById("badge-config").textContent),
    sheets: [...document.querySelectorAll("link[href*=fonts]")].map((link) => link.href),
    scripts: ["openDialog", "closeDialog"].map((name) => typeof window[name]) };
}"""
ESTIMATE = """async () => {
  const root = document.getElementById("estimate-root"), slot = document.getElementById("content-after-price");
  const first = slot.innerHTML;
  for (const name of ["L", "Blue"]) document.querySelector(`[data-option][value=${name}]`).click();
  const later = slot.innerHTML;
  for (const name of ["S", "Blue"]) document.querySelector(`[data-option][value=${name}]`).click();
  return { first, later, last: slot.innerHTML, root: root.outerHTML, shown: window.estimate.shown,
    colour: getComputedStyle(root.querySelector(".day")).color, svg: root.querySelector("svg").viewBox.baseVal.width };
}"""

LIBRARY = """async () => {
  const slot = document.getElementById("content-after-price");
  while (!slot.textContent || !window.second) await new Promise((done) => setTimeout(done, 5));
  return { html: slot.innerHTML, second: window.second };
}"""
LIBRARIES = {
    "first.js": "window.first = (slot) => `first in ${slot}`;",
    "second.js": "window.second = `second beside ${typeof first}`;",
}


def answer_for_another_host(route):
    code = LIBRARIES.get(route.request.url.rpartition("/")[2])
    kind = "text/css" if "fonts." in route.request.url else "text/javascript"
    if "missing" in route.request.url:
        route.abort()
    else:
        route.fulfill(status=200, body=code or "", content_type=kind)


VIOLATIONS = '() => awningEmulator.trace().filter((row) => row.kind == "violation").map((row) => row.detail)'


def on_the_page(browser, url, look):
    """Return what a script of the page returns, and the rules that the page's snippets broke."""
    page = browser.new_page()
    page.route(re.compile("https://"), answer_for_another_host)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{url}/en/product/1", wait_until="load")
    page.evaluate("() => new Promise((done) => setTimeout(done, 0))")
    seen = page.evaluate(look)
    violations = set(page.evaluate(VIOLATIONS))
    page.close()
    assert errors == []
    return seen, violations


@pytest.mark.parametrize(("name", "look"), [("badge", BADGE), ("document", ESTIMATE), ("library", LIBRARY)])
def test_imported_widget_behaves_like_the_original_snippet(tmp_path, shop_with, browser, name, look):
    html = (SNIPPETS / f"{name}.html").read_text(encoding="utf-8")
    by_hand = html.replace("{{svc_language}}", "en").replace("{{svc_app_data}}", "{}")
    project = Project(tmp_path / "app", languages=("en",))
    brought = convert_snippet(html, name=f"{name}.html", title=name, dialect=Dialect())
    for path, text in brought.files.items():
        project.add_file(f"widgets/{name}/{path}", text)
    project.build()
    built = FixedSnippets(head=project.dist("head.html"), body=project.dist("body.html"))
    expected, violations_by_hand = on_the_page(browser, shop_with(FixedSnippets(body=by_hand)), look)
    seen, violations = on_the_page(browser, shop_with(built), look)
    assert seen == expected
    assert violations <= violations_by_hand
    assert all(expected.values()), expected
