"""Fixtures: a page with all exports of `awning`, in which templates are rendered."""

import json
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Playwright

from awning.bundle.request import BundleRequest, EntryPoint
from awning.bundle.run import bundle, find_esbuild
from awning.jsrc import jsrc_root
from awning.template.compile import compile_template
from awning_harness.browser import find_browser, launch_arguments

Render = Callable[..., str]


def bundled(source: str, folder: Path) -> str:
    """Return a module bundled with its imports."""
    folder.mkdir(parents=True)
    entry = folder / "entry.ts"
    entry.write_text(source, encoding="utf-8")
    request = BundleRequest(
        entry_points=(EntryPoint("entry", entry),),
        root=folder,
        jsrc=jsrc_root(),
        source_maps=False,
        format="esm",
    )
    return bundle(find_esbuild(), request).outputs["entry"].code.decode()


@pytest.fixture(scope="session")
def shop_in(
    playwright: Playwright, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Page]]:
    """`shop_in(zone)` opens a page in this time zone, in an English browser. Its global `awning` has the functions."""
    executable = find_browser()
    assert executable is not None, "no Chromium on this machine"
    browser = playwright.chromium.launch(executable_path=executable.path, args=launch_arguments())
    code = bundled('export * from "awning";', tmp_path_factory.mktemp("functions") / "all")

    def opened(zone: str) -> Page:
        page = browser.new_context(locale="en-US", timezone_id=zone).new_page()
        page.evaluate(LOAD, ["awning", code])
        return page

    yield opened
    browser.close()


@pytest.fixture(scope="session")
def shop(shop_in: Callable[[str], Page]) -> Page:
    return shop_in("Europe/Riga")


LOAD = """async ([name, code]) => {
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  globalThis[name] = await import(url);
}"""


@pytest.fixture(scope="session")
def render(shop: Page, tmp_path_factory: pytest.TempPathFactory) -> Render:
    """`render(template, name=value)` compiles and bundles a template, and renders it in the page."""
    folder, numbers = tmp_path_factory.mktemp("templates"), count()

    def rendered(template: str, **context: Any) -> str:
        code = compile_template(template, path="view.html.j2").code
        shop.evaluate(LOAD, ["view", bundled(code, folder / str(next(numbers)))])
        return str(shop.evaluate(f"view.default({json.dumps(context)})"))

    return rendered
