"""What is imported is declared where it is needed, what is declared is used, and one lock has all of it with hashes."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PUBLIC = "https://pypi.org/simple"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

NO_IMPORT = {
    "axe-playwright-python": "its axe-core script is read from its folder",
    "check-jsonschema": "a program that tests run",
    "flask": "a recipe of docs/verification.md, which a test runs",
    "furo": "a theme that Sphinx loads by name",
    "httptools": "uvicorn imports it for awning_harness.service.protocol",
    "myst-parser": "an extension that Sphinx loads by name",
    "mypy": "a program",
    "pytest-playwright": "a plugin that pytest loads",
    "pytest-random-order": "a plugin that pytest loads",
    "pytest-split": "a plugin that pytest loads",
    "pytest-xdist": "a plugin that pytest loads",
    "ruff": "a program",
    "sphinx": "a program",
    "types-beautifulsoup4": "types for mypy",
    "types-html5lib": "types for mypy",
}
"""Declared packages that no import statement names, each with the reason."""

OPTIONAL = {"src/awning": ("crypto", "host", "lsp", "postgres", "fleet"), "harness": ("mcp", "postgres")}
"""Extras that a room may import late, because a user of the feature has installed them."""


def name_of(requirement: str) -> str:
    return re.match(r"[\w.-]+", requirement)[0].lower()


def extra(name: str) -> set[str]:
    """The packages of an extra, and of the extras that it includes."""
    found = set()
    for requirement in PYPROJECT["project"]["optional-dependencies"][name]:
        included = re.match(r"awning\[(\w+)\]", requirement)
        found |= extra(included[1]) if included else {name_of(requirement)}
    return found


def group(name: str) -> set[str]:
    return {name_of(requirement) for requirement in PYPROJECT["dependency-groups"][name]}


CORE = {name_of(requirement) for requirement in PYPROJECT["project"]["dependencies"]}
EXTRAS = set().union(*(extra(name) for name in PYPROJECT["project"]["optional-dependencies"]))
ALL = CORE | EXTRAS | set().union(*(group(name) for name in PYPROJECT["dependency-groups"]))
ROOMS = {
    "src/awning": CORE.union(*(extra(name) for name in OPTIONAL["src/awning"])),
    "harness": CORE.union(extra("harness"), *(extra(name) for name in OPTIONAL["harness"])),
    "widgets": CORE | extra("harness"),
    "packaging": CORE | extra("harness") | group("test") | group("docs"),
    "tests": CORE | EXTRAS | group("test"),
    "benchmarks": CORE | EXTRAS | group("test"),
}


@cache
def imports(folder: str) -> frozenset[tuple[str, str]]:
    """Return the top-level name of each import of an absolute module, with its place."""
    return frozenset(_imports(folder))


def _imports(folder: str) -> Iterator[tuple[str, str]]:
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                modules = [node.module]
            for module in modules:
                yield module.split(".")[0], f"{path.relative_to(ROOT)}:{node.lineno}"


FILES = [path for folder in ROOMS for path in (ROOT / folder).rglob("*.py")]
OURS = {path.stem for path in FILES} | {path.parent.name for path in FILES} | {"benchmarks", "tests"}


@pytest.mark.parametrize("folder", ROOMS)
def test_imported_package_is_declared(folder):
    distributions = packages_distributions()
    undeclared = {
        f"{place} imports {module}"
        for module, place in imports(folder)
        if module not in sys.stdlib_module_names | OURS
        and not ROOMS[folder] & {name.lower() for name in distributions.get(module, ())}
    }
    assert undeclared == set()


@pytest.mark.parametrize(
    ("declared", "folders"),
    [
        pytest.param(CORE, ("src/awning",), id="core"),
        pytest.param(EXTRAS, ("src/awning", "harness"), id="extras"),
        pytest.param(group("test"), ("tests", "benchmarks", "packaging"), id="test"),
        pytest.param(group("lint") | group("docs"), ("packaging",), id="lint and docs"),
    ],
)
def test_declared_package_is_used_where_it_is_declared(declared, folders):
    imported = {module for folder in folders for module, _ in imports(folder)}
    used = {
        name.lower()
        for module, names in packages_distributions().items()
        if module in imported
        for name in names
    }
    assert declared - used - set(NO_IMPORT) == set()


def test_package_without_an_import_is_declared():
    assert set(NO_IMPORT) - ALL == set()


def test_package_has_one_bound():
    declared = [
        requirement
        for requirements in (
            PYPROJECT["project"]["dependencies"],
            *PYPROJECT["project"]["optional-dependencies"].values(),
            *PYPROJECT["dependency-groups"].values(),
        )
        for requirement in requirements
    ]
    names = [name_of(requirement) for requirement in declared if not requirement.startswith("awning[")]
    assert {name for name in names if names.count(name) > 1} == set()


def locked() -> list[dict]:
    return tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))["package"]


def test_every_locked_file_has_a_hash_and_comes_from_the_public_index():
    for package in locked():
        files = [*package.get("wheels", ()), *filter(None, [package.get("sdist")])]
        if "editable" not in package["source"]:
            assert files, package["name"]
            assert all(file["hash"].startswith("sha256:") for file in files), package["name"]
            assert package["source"]["registry"] == PUBLIC


def test_build_requirements_are_pinned_to_the_locked_versions():
    """hatchling and its requirements: each installation is built with the same versions."""
    pinned = dict(requirement.split("==") for requirement in PYPROJECT["build-system"]["requires"])
    packages = {package["name"]: package for package in locked()}
    assert pinned == {name: packages[name]["version"] for name in pinned}
    needed, queue = set(), ["hatchling"]
    while queue:
        needed.add(name := queue.pop())
        queue += [
            dependency["name"]
            for dependency in packages[name].get("dependencies", ())
            if dependency["name"] not in needed
            and "python_full_version < '3.11'" not in dependency.get("marker", "")
        ]
    assert set(pinned) == needed


def test_lock_file_belongs_to_this_project():
    """uv refuses a lock file that does not match pyproject.toml. This test detects that without uv."""
    [own] = [package for package in locked() if "editable" in package["source"]]
    recorded = {entry["name"] for entry in own["metadata"]["requires-dist"]}
    assert recorded - {"awning"} == CORE | EXTRAS
