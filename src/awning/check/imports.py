"""What a widget's script imports from "awning": each name exists there, and each function that is called is imported.

The bundler reports neither: it drops an import that nothing uses, and takes a name that nobody declares for one of the
page's. A name that is misspelt in the import alone would build, and fail in the shop.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from awning.diagnostics import Diagnostic, did_you_mean
from awning.script import ScriptFile
from awning.script.imports import AWNING, Import


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What "awning" has: `values` that a script calls, and names of types."""

    values: frozenset[str]
    types: frozenset[str]


def import_findings(script: ScriptFile, exported: Exported) -> Iterator[Diagnostic]:
    """Names that are imported and do not exist, and names that are called and not imported."""
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
                or "see docs/first-widget.md for what there is",
                excerpt=script.line(place.line),
            )


def _not_imported(script: ScriptFile, values: frozenset[str]) -> Iterator[Diagnostic]:
    facts = script.facts
    imported = {name for statement in facts.imports for name in statement.locals}
    for name in sorted(values & facts.calls.keys() - facts.declared - imported):
        place = script.place(facts.calls[name])
        yield Diagnostic(
            rule="missing-import",
            message=f"{name} is used and not imported",
            place=place,
            hint=f'import {{ {name} }} from "awning"',
            excerpt=script.line(place.line),
        )
