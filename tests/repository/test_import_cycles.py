"""No module imports itself by way of others. Imports inside functions and under TYPE_CHECKING count as well."""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
Imports = Mapping[str, frozenset[str]]


def modules() -> dict[str, Path]:
    """Each module of awning and its harness by its dotted name."""
    return {
        ".".join(path.relative_to(ROOT / top).with_suffix("").parts).removesuffix(".__init__"): path
        for top in ("src", "harness")
        for path in (ROOT / top).rglob("*.py")
    }


def imported_names(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """What a file imports, anywhere in it: a module, and a name that may be a module in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None, "imports are absolute"
            yield from ((node.module, alias.name) for alias in node.names)


def imports() -> Imports:
    files = modules()
    graph = {}
    for module, path in files.items():
        names = imported_names(ast.parse(path.read_text(encoding="utf-8")))
        targets = {
            f"{package}.{name}" if f"{package}.{name}" in files else package for package, name in names
        }
        graph[module] = frozenset(targets & files.keys() - {module})
    return graph


def cycles(graph: Imports) -> set[tuple[str, ...]]:
    """The groups of modules that all reach each other."""
    reached = {module: reachable(graph, module) for module in graph}
    return {
        tuple(sorted({module} | {other for other in reached[module] if module in reached[other]}))
        for module in graph
        if module in reached[module]
    }


def reachable(graph: Imports, start: str) -> frozenset[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph[waiting.pop()] - reached
        reached |= new
        waiting += new
    return frozenset(reached)


def test_modules_have_no_import_cycle():
    assert not cycles(imports())


def test_cycle_through_several_modules_is_detected():
    graph = {
        "a": frozenset({"b"}),
        "b": frozenset({"c", "d"}),
        "c": frozenset({"a"}),
        "d": frozenset[str](),
        "e": frozenset({"a"}),
    }
    assert cycles(graph) == {("a", "b", "c")}


def test_imports_in_functions_and_under_type_checking_count():
    text = (
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from awning.contract import Dialect\n"
        "def later():\n    import awning.errors\n"
    )
    names = set(imported_names(ast.parse(text)))
    assert {("awning.contract", "Dialect"), ("awning.errors", "")} <= names
