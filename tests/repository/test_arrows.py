"""Which room may import which: the arrows of docs/architecture.md. The list is data; the test reads the imports."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LEAVES = {"contract", "diagnostics", "errors"}
ARROWS: dict[str, set[str]] = {
    "contract": set(),
    "diagnostics": {"rules"},
    "errors": {"contract", "diagnostics"},
    "json_document": {"diagnostics"},
    "file_lock": set(),
    "line_process": set(),
    "typed_values": {"diagnostics"},
    "user_folder": {"errors"},
    "jsrc": {"errors"},
    "rules": set(),
    "build_record": LEAVES | {"typed_values"},
    "git": set(),
    "source_map": {"diagnostics"},
    "data_schema": LEAVES,
    "data_migration": LEAVES | {"data_schema", "line_process", "source_map"},
    "workspace": LEAVES | {"data_schema", "git", "script", "markup"},
    "preview_record": LEAVES | {"typed_values"},
    "states": LEAVES | {"workspace", "preview_record"},
    "template": LEAVES | {"jsrc", "source_map"},
    "programs": LEAVES,
    "typescript": LEAVES | {"programs", "script", "data_schema", "template"},
    "bundle": LEAVES | {"jsrc", "programs"},
    "snippet": {"contract", "diagnostics", "build_record", "markup"},
    "html_elements": set(),
    "markup": {"html_elements"},
    "script": LEAVES | {"html_elements", "markup"},
    "check": LEAVES
    | {
        "workspace",
        "data_schema",
        "template",
        "bundle",
        "jsrc",
        "rules",
        "script",
        "markup",
        "html_elements",
        "json_document",
        "line_process",
    },
    "pipeline": LEAVES
    | {
        "file_lock",
        "line_process",
        "user_folder",
        "workspace",
        "data_schema",
        "data_migration",
        "states",
        "preview_record",
        "template",
        "bundle",
        "programs",
        "typescript",
        "snippet",
        "check",
        "script",
        "jsrc",
        "build_record",
        "source_map",
        "markup",
    },
    "language_server": LEAVES | {"check", "pipeline", "workspace", "rules"},
    "live": LEAVES
    | {"bundle", "jsrc", "workspace", "build_record", "markup", "json_document", "snippet", "typed_values"},
    "client": LEAVES | {"typed_values", "user_folder"},
    "signed_requests": LEAVES | {"client"},
    "publish": LEAVES
    | {
        "client",
        "file_lock",
        "build_record",
        "source_map",
        "data_schema",
        "data_migration",
        "git",
        "markup",
    },
    "probe": LEAVES | {"client", "publish"},
    "reseller": LEAVES | {"client", "publish"},
    "manifest": LEAVES | {"client", "publish", "build_record", "typed_values", "git"},
    "host": LEAVES
    | {"client", "signed_requests", "build_record", "preview_record", "publish", "data_schema"},
}
"""Room of `awning` -> the rooms it may import. `cli` may import them all; `awning` itself holds the version only."""

BY_NAME = re.compile(r"(awning(?:_harness)?(?:\.\w+)+)(?::\w+)?")


def imports(path: Path) -> Iterator[str]:
    """Yield each module or name, such as `awning.contract.Exit`, that a file imports anywhere, or could import by name.

    `import_module("awning.host")` is an import, and so is any text that names a module of the harness.
    """
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(part for part in (relative_base(path, node.level), node.module) if part)
            yield from (f"{base}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and called(node) in {"import_module", "__import__"} and node.args:
            yield from by_name(node.args[0], "awning")
        elif isinstance(node, ast.Constant):
            yield from by_name(node, "awning_harness")


def called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def by_name(node: ast.expr, package: str) -> Iterator[str]:
    """Yield the module of `package` that a literal text names, if it names one."""
    text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
    match = BY_NAME.fullmatch(text)
    if match and text.startswith(f"{package}."):
        yield match[1]


def relative_base(path: Path, level: int) -> str:
    """Return the package that the dots of `from ..room import name` stand for in this file."""
    if not level:
        return ""
    package = path.relative_to(ROOT).parts[1:-1]  # below src/ or harness/
    return ".".join(package[: len(package) - level + 1])


def rooms_imported(folder: Path, package: str) -> dict[str, set[str]]:
    """File -> rooms of `package` it imports, for every file below `folder`."""
    rooms = {}
    for path in sorted(folder.rglob("*.py")):
        names = (name.split(".") for name in imports(path))
        rooms[str(path.relative_to(ROOT))] = {
            name[1] for name in names if name[0] == package and len(name) > 1
        }
    return rooms


PARTS_OF_A_VISIT = {
    "hosts": set[str](),
    "pages": {"hosts"},
    "steps": {"pages", "hosts"},
    "posing": {"pages"},
    "frames": {"steps", "pages", "hosts"},
}
"""Parts of `awning_harness.visit` -> the parts that they may import."""

BESIDE_A_VISIT = {
    "hosts": {"runs", "storefront"},
    "pages": {"runs", "storefront"},
    "steps": {"runs", "storefront"},
    "posing": set[str](),
    "frames": {"shop", "runs", "storefront"},
}
"""Parts of `awning_harness.visit` -> the rooms of the harness that they may import."""


@pytest.mark.parametrize("part", PARTS_OF_A_VISIT)
def test_a_part_of_a_visit_imports_only_the_parts_below_it(part):
    folder = ROOT / "harness/awning_harness/visit" / part
    imported = rooms_imported(folder, "awning_harness")
    assert imported
    for file, rooms in imported.items():
        assert rooms - {"visit"} <= BESIDE_A_VISIT[part], file
        parts = {
            name.split(".")[2] for name in imports(ROOT / file) if name.startswith("awning_harness.visit.")
        }
        assert parts - {part} <= PARTS_OF_A_VISIT[part], file


PHASES = ("read", "compile", "inspect", "types", "stage", "bundle", "assemble", "write")
"""The folders of a build's phases, in the order in which they run."""

USED_BY_PHASES = frozenset({"cache", "style"})
"""Folders beside the phases that every phase may import. They import no phase."""


def pipeline_imports(path: Path) -> Iterator[tuple[str, str]]:
    """What a file imports of the pipeline: a module below it, and the name that is taken from it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [(str(node.module), alias.name) for alias in node.names]
        else:
            continue
        yield from (
            (module.removeprefix("awning.pipeline").lstrip("."), name)
            for module, name in names
            if f"{module}.".startswith("awning.pipeline.")
        )


def is_allowed_in(phase: str, module: str, name: str) -> bool:
    """Whether a phase may import a name of a module of the pipeline.

    Its own modules, and the folders beside the phases, are open to it. Of an earlier phase it may import classes and
    constants, from the package itself: values flow forward, and nothing of an earlier phase is called.
    """
    folder = module.partition(".")[0]
    if folder in {phase, *USED_BY_PHASES}:
        return True
    earlier = PHASES[: PHASES.index(phase)]
    return module in earlier and name[:1].isupper()


@pytest.mark.parametrize("phase", PHASES)
def test_a_phase_imports_only_values_of_earlier_phases(phase):
    files = sorted((ROOT / "src/awning/pipeline" / phase).glob("*.py"))
    wrong = [
        f"{path.name} -> {module}:{name}"
        for path in files
        for module, name in pipeline_imports(path)
        if not is_allowed_in(phase, module, name)
    ]
    assert files
    assert wrong == []


@pytest.mark.parametrize("folder", sorted(USED_BY_PHASES))
def test_modules_shared_by_phases_import_no_phase(folder):
    files = sorted((ROOT / "src/awning/pipeline" / folder).glob("*.py"))
    imported = {module.partition(".")[0] for path in files for module, _ in pipeline_imports(path)}
    assert imported <= USED_BY_PHASES


def test_phase_has_at_most_nine_files():
    for phase in PHASES:
        files = [path for path in (ROOT / "src/awning/pipeline" / phase).iterdir() if path.is_file()]
        assert len(files) <= 9, phase


@pytest.mark.parametrize(
    ("module", "name", "allowed"),
    [
        ("read", "SourceSet", True),
        ("read", "read_sources", False),
        ("read.files", "SourceFile", False),
        ("stage.traits", "_contents", True),
        ("cache.toolchain", "package_stamp", True),
        ("bundle", "Bundle", False),
        ("phases", "BuildOptions", False),
    ],
)
def test_phase_rule_allows_and_refuses_imports(module, name, allowed):
    assert is_allowed_in("stage", module, name) is allowed


def room_of(path: str) -> str:
    return path.split("/")[2].removesuffix(".py")


def test_every_import_follows_the_arrows():
    wrong = {
        f"{path} -> {sorted(extra)}"
        for path, rooms in rooms_imported(ROOT / "src/awning", "awning").items()
        if (room := room_of(path)) not in {"cli", "__init__"}
        and (extra := rooms - ARROWS[room] - {room, "__version__"})
    }
    assert wrong == set()


def test_every_room_is_in_the_table_of_arrows():
    entries = {
        path.name.removesuffix(".py")
        for path in (ROOT / "src/awning").iterdir()
        if list(path.rglob("*.py")) or path.suffix == ".py"
    }
    assert entries - {"__init__", "__main__", "cli", "_jsrc"} <= set(ARROWS)


def test_awning_never_imports_the_harness():
    assert not any(rooms_imported(ROOT / "src/awning", "awning_harness").values())


@pytest.mark.parametrize(
    "text",
    [
        "import awning_harness.browser",
        "from awning_harness.browser import find_browser",
        'import_module("awning_harness.browser")',
        'NAME = "awning_harness.browser"',
        'LazyVerb(target="awning_harness.browser:find")',
    ],
)
def test_imports_are_recognised_in_every_form(tmp_path, text):
    (tmp_path / "module.py").write_text(text, encoding="utf-8")
    assert any(name.startswith("awning_harness.browser") for name in imports(tmp_path / "module.py"))


def test_the_simulated_service_shares_no_code_with_the_client_it_answers():
    for path, rooms in rooms_imported(ROOT / "harness/awning_harness/service", "awning").items():
        if path.endswith("/command.py"):  # the verb, which prints; it is no part of the simulator
            continue
        assert rooms <= LEAVES | {"__version__", "typed_values"}, path


@pytest.mark.parametrize(("room", "allowed"), [("runtime", {"runtime", "types"}), ("types", {"types"})])
def test_shipped_typescript_imports_only_itself_and_types(room, allowed):
    """No npm package, no other room: paths are relative, or awning's own module names."""
    own = {
        "awning": "runtime",
        "awning/run": "runtime",
        "awning/types": "types",
    }
    jsrc = ROOT / "jsrc"
    for path in sorted((jsrc / room).rglob("*.ts")):
        text = re.sub(
            r"/\*.*?\*/|^\s*//.*$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
        )
        for name in re.findall(r"""(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']""", text):
            target = (path.parent / name).resolve() if name.startswith(".") else None
            room_of_target = target.relative_to(jsrc.resolve()).parts[0] if target else own.get(name, name)
            assert room_of_target in allowed, f"{path.relative_to(ROOT)} imports {name}"
