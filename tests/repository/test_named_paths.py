"""The files and modules that the pages for maintainers name exist."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOPS = ("src", "harness", "jsrc", "docs", "tests", "benchmarks", "packaging", "widgets", ".ci")
PAGES = [
    *(
        ROOT / name
        for name in ("CONTRIBUTING.md", "docs/maintaining.md", "docs/architecture.md", "tests/README.md")
    ),
    *(page for top in ("src", "harness", "jsrc") for page in sorted((ROOT / top).rglob("README.md"))),
]
CODE = re.compile(r"`([^`\n]+)`")
FILE = re.compile(r"[\w./-]+\.(?:py|ts|md)")
MODULE = re.compile(r"awning(?:_harness)?(?:\.\w+)+")
PLACEHOLDERS = {"NAME.py", "head.ts", "widget.ts", "data.migrate.ts", "awning.commands"}
"""Names that need no file here: names to fill in, files of an author's workspace, and `awning.commands`.

The last is a group of entry points of Python's packaging.
"""
RENAMED = {"reach.py", "kept.py", "spoken.py", "dependencies.py", "cache.py", "localized.py"}
"""The examples of CONTRIBUTING's style page."""


@cache
def files() -> frozenset[str]:
    names = (path.relative_to(ROOT).as_posix() for top in TOPS for path in (ROOT / top).rglob("*"))
    return frozenset(f"/{name}" for name in names) | {f"/{path.name}" for path in ROOT.iterdir()}


def exists(path: str) -> bool:
    return any(name.endswith(f"/{path}") for name in files())


def module_exists(name: str) -> bool:
    """Whether a dotted name is that of a module, or of something that the module before its last dot has."""
    path = name.replace(".", "/")
    module, _, member = path.rpartition("/")
    if exists(f"{path}.py") or exists(f"{path}/__init__.py"):
        return True
    top = ROOT / ("harness" if name.startswith("awning_harness") else "src")
    sources = [file for file in (top / f"{module}.py", top / module / "__init__.py") if file.is_file()]
    defined = rf'^(?:(?:async )?def |class )?{member}\b|import [^\n]*\b{member}\b|^ +{member},$|"{member}"'
    return any(re.search(defined, file.read_text(encoding="utf-8"), re.MULTILINE) for file in sources)


def test_a_file_and_a_module_that_do_not_exist_are_found() -> None:
    assert exists("pipeline/phases.py")
    assert not exists("pipeline/phase.py")
    assert module_exists("awning.contract.Exit")
    assert not module_exists("awning.contract.events")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_named_files_and_modules_exist(page: Path) -> None:
    names = set(CODE.findall(page.read_text(encoding="utf-8"))) - PLACEHOLDERS - RENAMED
    assert [name for name in names if FILE.fullmatch(name) and not exists(name)] == []
    modules = [name for name in names if MODULE.fullmatch(name) and not FILE.fullmatch(name)]
    assert [name for name in modules if not module_exists(name)] == []
