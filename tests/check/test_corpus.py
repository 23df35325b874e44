"""Snippets with their verdict in the name, `init-once--alias.js`: what check says, and what a page does.

`ok` is a snippet that breaks none of the event rules; `a+b` breaks two. Each runs in Chromium with the emulator, which
has to see the same violations: neither the verdicts nor the check can be wrong alone.
"""

import json
import subprocess
from functools import cache
from pathlib import Path

import pytest
from frames import SmallPages, open_small_pages

from awning.bundle import find_esbuild
from awning.check.files import check_text
from awning.cli.emulator import emulator_script
from awning.contract import Dialect
from awning.diagnostics import Severity

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())
EVENT_RULES = {"init-once", "updated-pair", "init-early"}
MANY = 120

FIRE = """
const page = { language: "en", page: "catalog" };
const variant = (id, price, stock) => ({ id, options: [{ title: "S" }], price, price_undiscounted: price, sku: "",
  stock, weight: null });
const variants = [variant("11", 19.9, 4), variant("12", 22.9, 1)];
const items = [
  { id: "1", name: "Linen", sku: "", brand: "", category: "a/b", price: 21, price_undiscounted: 21, currency: "EUR",
    weight: 180, stock: 4, variants },
  { id: "3", name: "Gift", sku: "", brand: "", category: "a", price: 5, price_undiscounted: 5, currency: "EUR",
    weight: 0, stock: null, variants: [] },
];
const cart = { cartData: { total: 63.8, total_no_discount: 63.8, items: [] }, currency: { code: "EUR" }, page };
const host = (event, params) => awningEmulator.host("#box", event, params);
const settle = () => new Promise((done) => setTimeout(() => setTimeout(() => setTimeout(done, 4), 0), 0));
window.settled = (async () => {
  await new Promise((done) => addEventListener("load", done));
  for (const item of items) {
    host("svc-content-after-price", { item, page });
    for (const selectedVariant of item.variants) {
      const update = { item, selectedVariant, selectedVariantId: selectedVariant.id };
      awningEmulator.fire("svc-content-after-price-updated", update);
    }
    await settle();
  }
  host("svc-content-after-cart", cart);
  host("svc-content-after-checkout", cart);
  awningEmulator.fire("svc-content-after-checkout-updated", { total: 57.42, total_no_discount: 63.8 });
  await settle();
})();
"""
RESULT = "awningEmulator.trace().filter((one) => one.kind === 'violation').map((one) => one.detail)"


def verdict(path: Path) -> set[str]:
    return set(path.name.split("--")[0].split("+")) - {"ok"}


@cache
def said_of(path: Path) -> set[str]:
    found = check_text(path.name, path.read_text(encoding="utf-8"), Dialect()).diagnostics
    return {one.rule for one in found if one.severity is Severity.ERROR}


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_check_says_what_the_name_says(path):
    assert said_of(path) == verdict(path)


def as_script(path: Path) -> str:
    """The snippet as it stands in a page; TypeScript without its types."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        return text
    if path.suffix == ".ts":
        command = [find_esbuild().path, "--loader=ts"]
        text = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    return f"<script>{text}</script>"


@pytest.fixture(scope="session")
def corpus_pages(browser) -> SmallPages:
    yield from open_small_pages(browser, emulator_script(find_esbuild()).decode())


def test_the_emulator_sees_the_same_in_chromium(corpus_pages):
    snippets = [path for path in CORPUS if verdict(path) <= EVENT_RULES]
    assert len(snippets) >= MANY
    pages = [
        corpus_pages.html(
            FIRE, jquery="--jquery" in path.stem, configure="", body=f'<div id="box"></div>{as_script(path)}'
        )
        for path in snippets
    ]
    seen = corpus_pages.gather(pages, RESULT)
    wrong = {
        path.name: sorted(set(violations) & EVENT_RULES)
        for path, violations in zip(snippets, seen, strict=True)
        if set(violations) & EVENT_RULES != verdict(path)
    }
    assert json.dumps(wrong, indent=1) == "{}"
