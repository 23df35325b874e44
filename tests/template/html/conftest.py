"""Fixtures: a browser page with the escapers, and hostile strings."""

import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from playwright.sync_api import Page, Playwright, Route
from volumes import volume

from awning.bundle.run import find_esbuild
from awning.jsrc import jsrc_root
from awning.template.html.html_context import START, ContextKind, finish
from awning.template.html.tokenizer import advance
from awning.template.html.values import output
from awning_harness.browser import find_browser, launch_arguments
from awning_harness.checks.hostile_texts import all_hostile_texts

HERE = Path(__file__).parent
HOLE = "§"
"""Stands for a printed value in the example templates of this folder."""

PAGE = "http://shop.test/product/1"
POLICY = (
    "default-src about: data: mailto: tel: sms:; frame-src *; "
    "script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'"
)
"""Blocks what would be requested, except for frames, whose whole addresses are not reported."""


@dataclass
class Laboratory:
    """A page in which templates are filled, inserted and examined."""

    page: Page
    fetched: list[str] = field(default_factory=list)
    """Requests that the policy does not block."""

    def call(self, function: str, *arguments: Any) -> Any:
        return self.page.evaluate(f"(given) => laboratory.{function}(...given)", list(arguments))

    def happened(self) -> list[str]:
        """Return the addresses that would have been loaded and the executions since the last call. Clear the page."""
        seen = self.page.evaluate("() => laboratory.happened()")
        seen += self.fetched
        self.fetched.clear()
        return seen


@pytest.fixture(scope="session")
def parts() -> Callable[..., list[str]]:
    """`parts(template)` compiles a template with § for values. Returns texts and names of escapers in turn.

    With `markup`, the names are those of the functions that print Markup, which is decoded first where HTML has no
    meaning.
    """

    def compiled(template: str, *, markup: bool = False) -> list[str]:
        context, out, pieces = START, [""], template.split(HOLE)
        for number, piece in enumerate(pieces):
            context, emitted = advance(context, piece)
            out[-1] += emitted
            if number + 1 < len(pieces):
                context, interpolation = output(context)
                out[-1] += interpolation.before
                decoded = "" if interpolation.kind is ContextKind.TEXT else "decode "
                of_markup = interpolation.markup or decoded + interpolation.escaper
                out += [of_markup if markup else interpolation.escaper, interpolation.after]
        finish(context)
        return out

    return compiled


@pytest.fixture(scope="session")
def escapers(processes) -> str:
    """A script with the escapers as the global `escape_`."""
    entry = jsrc_root() / "runtime" / "escape" / "index.ts"
    command = [find_esbuild().path, entry, "--bundle", "--minify", "--target=es2020", "--global-name=escape_"]
    return subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8").stdout


@pytest.fixture(scope="session")
def laboratory(playwright: Playwright, escapers: str) -> Iterator[Laboratory]:
    executable = find_browser()
    assert executable is not None, "no Chromium on this machine"
    browser = playwright.chromium.launch(executable_path=executable.path, args=launch_arguments())
    page = browser.new_page()
    lab = Laboratory(page)
    page.route("**/*", lambda route: serve(route, lab))
    page.goto(PAGE)
    page.add_script_tag(content=escapers)
    page.add_script_tag(content=(HERE / "laboratory.js").read_text(encoding="utf-8"))
    lab.fetched.clear()
    yield lab
    browser.close()


def serve(route: Route, lab: Laboratory) -> None:
    if route.request.url == PAGE:
        route.fulfill(
            headers={"Content-Type": "text/html", "Content-Security-Policy": POLICY},
            body="<!doctype html><title>shop</title><body><div id=stage></div>",
        )
        return
    lab.fetched.append(route.request.url)
    route.abort()


@pytest.fixture(scope="session")
def all_hostile() -> list[str]:
    """More than 500 strings that mean something to HTML, URLs, CSS, scripts, templates or the service."""
    return list(all_hostile_texts())


@pytest.fixture
def hostile(request: pytest.FixtureRequest, all_hostile: list[str]) -> list[str]:
    """All hostile strings in CI; elsewhere an even share, which is different for each test."""
    step = max(1, len(all_hostile) // volume("html-hostile"))
    return all_hostile[crc32(request.node.name.encode()) % step :: step]
