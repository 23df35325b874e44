"""Snippets with their verdict in the name, as in `init-once--alias.js`: the check and a page agree with it.

`ok` breaks none of the event rules; `a+b` breaks two. Each snippet also runs in Chromium with the emulator, which must
report the same violations.
"""

import json
import subprocess
from functools import cache
from pathlib import Path

import pytest
from frames import SmallPages, open_small_pages
from page_life import FIRE, RESULT

from awning.bundle.emulator import emulator_script
from awning.bundle.run import find_esbuild
from awning.check.files import check_text
from awning.contract import Dialect
from awning.diagnostics import Severity

CORPUS = sorted((Path(__file__).parent / "corpus").iterdir())
EVENT_RULES = {"init-once", "updated-pair", "init-early"}
MANY = 120


def verdict(path: Path) -> set[str]:
    return set(path.name.split("--")[0].split("+")) - {"ok"}


@cache
def rules_reported_for(path: Path) -> set[str]:
    diagnostics = check_text(path.name, path.read_text(encoding="utf-8"), Dialect()).diagnostics
    return {diagnostic.rule for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR}


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_a_script_breaks_the_rules_in_its_name(path):
    assert rules_reported_for(path) == verdict(path)


def as_script(path: Path) -> str:
    """The snippet as JavaScript."""
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


@pytest.mark.usefixtures("processes")
def test_the_emulator_reports_the_same_rules_in_chromium(corpus_pages):
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
