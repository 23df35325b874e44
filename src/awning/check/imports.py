"""Checks what a widget's script imports from "awning".

The bundler does not report such mistakes: it drops an import that is not used, and treats an undeclared name as a
global of the page. A name that is misspelt only in the import would build and then fail in the shop.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from awning.diagnostics import Diagnostic, did_you_mean
from awning.script import ScriptFile
from awning.script.imports import AWNING, Import


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """The names that "awning" exports. `values` are those that exist at run time, such as functions."""

    values: frozenset[str]
    types: frozenset[str]


def import_findings(script: ScriptFile, exported: Exported) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each imported name that "awning" does not export.

    Names in `import type` and in re-exports are not checked. Also yield a diagnostic for each function that "awning"
    exports, and that the script calls without importing or declaring it.
    """
    for statement in script.facts.imports:
        if statement.module == AWNING and not (statement.reexport or statement.of_types):
            yield from _unknown(script, statement, exported.values | exported.types)
    yield from _not_imported(script, exported.values)


def _unknown(script: ScriptFile, statement: Import, known: frozenset[str]) -> Iterator[Diagnostic]:
    for imported in statement.names:
        if imported.name not in known:
            place = script.place(imported.at)
            yield Diagnostic(
                rule="missing-export",
                message=f'"awning" exports no "{imported.name}"',
                place=place,
                hint=did_you_mean(imported.name, sorted(known))
                or "see docs/first-widget.md for the names that there are",
                excerpt=script.line(place.line),
            )


def _not_imported(script: ScriptFile, values: frozenset[str]) -> Iterator[Diagnostic]:
    facts = script.facts
    imported = {name for statement in facts.imports for name in statement.locals}
    for name in sorted(values & facts.calls.keys() - facts.declared - imported):
        place = script.place(facts.calls[name])
        yield Diagnostic(
            rule="missing-import",
            message=f"{name} is used but not imported",
            place=place,
            hint=f'import {{ {name} }} from "awning"',
            excerpt=script.line(place.line),
        )
