"""The names that "awning" has for authors, read from the runtime's own sources."""

from functools import cache
from pathlib import Path

from awning.check.imports import Exported
from awning.jsrc import jsrc_root
from awning.script import ScriptFile


@cache
def exported() -> Exported:
    """Values and types of jsrc/runtime/index.ts; where it exports all of another module, those of that one too."""
    values: set[str] = set()
    types: set[str] = set()
    waiting = [jsrc_root() / "runtime" / "index.ts"]
    while waiting:
        module = waiting.pop()
        facts = _script(module).facts
        for export in facts.exports:
            (types if export.is_type else values).add(export.name)
        waiting += [
            module.parent / statement.module for statement in facts.imports if statement.is_star_export
        ]
    return Exported(values=frozenset(values), types=frozenset(types))


def _script(module: Path) -> ScriptFile:
    return ScriptFile(path=module.name, text=module.read_text(encoding="utf-8"))
