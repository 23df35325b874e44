"""The arrows of docs/architecture.md: which room may import which. The list is data; the test reads the imports."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LEAVES = {"contract", "diagnostics", "errors"}
ARROWS: dict[str, set[str]] = {
    "contract": set(),
    "diagnostics": set(),
    "errors": {"contract", "diagnostics"},
    "jsrc": {"errors"},
    "build_record": LEAVES,
    "manifest_rules": LEAVES,
    "workspace": LEAVES | {"manifest_rules"},
    "template": LEAVES,
    "bundle": LEAVES,
    "snippet": LEAVES | {"workspace"},
    "check": LEAVES | {"workspace", "template"},
    "pipeline": LEAVES | {"workspace", "template", "bundle", "snippet", "check", "jsrc", "build_record"},
    "service": LEAVES | {"manifest_rules"},
    "publish": LEAVES | {"service", "build_record"},
    "host": LEAVES | {"service", "build_record", "publish"},
}
"""Room of `awning` -> the rooms it may import. `cli` may import them all; `awning` itself holds the version only."""


def imports(path: Path) -> Iterator[str]:
    """`awning.contract.Exit`, ...: every module or name a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(part for part in (relative_base(path, node.level), node.module) if part)
            yield from (f"{base}.{alias.name}" for alias in node.names)


def relative_base(path: Path, level: int) -> str:
    """What the dots of `from ..room import name` stand for in this file."""
    package = path.relative_to(ROOT).parts[1:-1]  # below src/ or harness/
    return ".".join(package[: len(package) - level + 1]) if level else ""


def rooms_imported(folder: Path, package: str) -> dict[str, set[str]]:
    """File -> rooms of `package` it imports, for every file below `folder`."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        names = (name.split(".") for name in imports(path))
        found[str(path.relative_to(ROOT))] = {
            name[1] for name in names if name[0] == package and len(name) > 1
        }
    return found


def room_of(path: str) -> str:
    return path.split("/")[2].removesuffix(".py")


def test_awning_follows_the_arrows():
    wrong = {
        f"{path} -> {sorted(extra)}"
        for path, rooms in rooms_imported(ROOT / "src/awning", "awning").items()
        if (room := room_of(path)) not in {"cli", "__init__"}
        and (extra := rooms - ARROWS[room] - {room, "__version__"})
    }
    assert wrong == set()


def test_every_room_has_its_arrows():
    entries = {
        path.name.removesuffix(".py")
        for path in (ROOT / "src/awning").iterdir()
        if list(path.rglob("*.py")) or path.suffix == ".py"
    }
    assert entries - {"__init__", "__main__", "cli", "_jsrc"} <= set(ARROWS)


def test_awning_never_imports_the_harness():
    assert not any(rooms_imported(ROOT / "src/awning", "awning_harness").values())


def test_the_simulated_service_shares_no_code_with_the_client_it_answers():
    for path, rooms in rooms_imported(ROOT / "harness/awning_harness/service", "awning").items():
        if path.endswith("/command.py"):  # the verb, which speaks to the terminal; not the simulator
            continue
        assert rooms <= LEAVES | {"__version__"}, path


@pytest.mark.parametrize(("room", "allowed"), [("runtime", {"runtime", "types"}), ("types", {"types"})])
def test_what_reaches_a_shopper_imports_only_itself_and_types(room, allowed):
    """No npm package, no other room: paths are relative, or awning's own module names."""
    own = {
        "awning": "runtime",
        "awning/run": "runtime",
        "awning/template": "runtime",
        "awning/types": "types",
    }
    jsrc = ROOT / "jsrc"
    for path in sorted((jsrc / room).rglob("*.ts")):
        text = re.sub(
            r"/\*.*?\*/|^\s*//.*$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
        )
        for name in re.findall(r"""(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']""", text):
            target = (path.parent / name).resolve() if name.startswith(".") else None
            found = target.relative_to(jsrc.resolve()).parts[0] if target else own.get(name, name)
            assert found in allowed, f"{path.relative_to(ROOT)} imports {name}"
