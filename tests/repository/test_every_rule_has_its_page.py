"""Every rule id that the code can put into a diagnostic has its page: `docs` in JSON output points to it.

The ids are read from the syntax tree.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = {page.stem for page in (ROOT / "docs/rules").glob("*.md")}
ID = re.compile(r"[a-z]+(?:-[a-z]+)*")
COMPILERS = re.compile(r"template-[a-z]+(?:-[a-z]+)*")
REPORTS = frozenset({"report", "page_of", "_reporting_function", "TemplateRefusal"})
BUNDLERS = {f"{language}-{severity}" for language in ("script", "style") for severity in ("error", "warning")}
"""The ids that `awning.bundle.esbuild_messages` puts together from two words."""


def rules(path: Path) -> Iterator[str]:
    """Yield the rule ids in a file.

    Ids of the compilers are recognised by their first word. Other ids are the value of an argument `rule`, the first
    argument of a call that reports, or what a function `_rule` returns.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "rule":
            yield from texts(node.value)
        elif isinstance(node, ast.Call) and node.args and called(node) in REPORTS:
            yield from (text for text in texts(node.args[0]) if ID.fullmatch(text))
        elif isinstance(node, ast.FunctionDef) and node.name == "_rule":
            returned = (
                child.value for child in ast.walk(node) if isinstance(child, ast.Return) and child.value
            )
            yield from (text for value in returned for text in texts(value))
        elif isinstance(node, ast.Constant) and COMPILERS.fullmatch(str(node.value)):
            yield str(node.value)


def texts(node: ast.expr) -> Iterator[str]:
    """Yield the text of a literal, or the two texts of `"a" if x else "b"`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from texts(node.body)
        yield from texts(node.orelse)


def called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


@pytest.fixture(scope="module")
def used() -> dict[str, Path]:
    """The ids in the code, with a file that has each."""
    return {
        rule: path.relative_to(ROOT)
        for folder in ("src/awning", "harness/awning_harness")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for rule in rules(path)
    }


def test_rules_are_collected(used):
    assert {"file-encoding", "missing-export", "unknown-key", "template-raises"} <= set(used)
    assert len(used) > 90


def test_every_page_belongs_to_an_existing_rule(used):
    """Rules that are not in Python are violations that the emulator reports."""
    scripts = sorted((ROOT / "jsrc").rglob("*.ts"))
    emulator = " ".join(script.read_text(encoding="utf-8") for script in scripts)
    assert [page for page in sorted(PAGES - set(used) - BUNDLERS) if f'"{page}"' not in emulator] == []


def test_every_rule_has_a_page(used):
    assert {rule: path for rule, path in used.items() if rule not in PAGES} == {}


@pytest.mark.parametrize("rule", sorted(PAGES))
def test_every_page_names_its_rule_and_has_a_wrong_and_a_right_example(rule):
    text = (ROOT / "docs/rules" / f"{rule}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {rule}\n")
    assert text.index("\nWrong:\n") < text.index("\nRight:\n")


PAGE = re.compile(r"docs/[\w-]+\.md")
HINTED = ("check", "template/html", "workspace/document.py")
"""Rooms whose hints name the page of a rule through `awning explain`. The wheel has no other page of docs/."""


def hinted(path: Path) -> Iterator[str]:
    """Yield the texts of a file that are no docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in statements:
            yield node.value


@pytest.mark.parametrize("room", HINTED)
def test_hint_names_no_page_that_the_wheel_lacks(room):
    place = ROOT / "src/awning" / room
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    named = [(file.name, text) for file in files for text in hinted(file) if PAGE.search(text)]
    assert files
    assert named == []
