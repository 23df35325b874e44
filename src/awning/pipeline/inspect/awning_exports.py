"""The names that a script may import from "awning", read from the runtime's own sources."""

from functools import cache

from awning.check.imports import Exported
from awning.jsrc import jsrc_root
from awning.script import ScriptFile


@cache
def awning_exports() -> Exported:
    """Values and types of jsrc/runtime/index.ts, and of the modules whose names it exports with `export *`."""
    values: set[str] = set()
    types: set[str] = set()
    waiting = [jsrc_root() / "runtime" / "index.ts"]
    while waiting:
        module = waiting.pop()
        facts = ScriptFile(path=module.name, text=module.read_text(encoding="utf-8")).facts
        for export in facts.exports:
            (types if export.is_type else values).add(export.name)
        waiting += [
            module.parent / statement.module for statement in facts.imports if statement.is_star_export
        ]
    return Exported(values=frozenset(values), types=frozenset(types))
