"""Checks what a widget's script imports: names of "awning", style sheets, and files of other hosts.

The bundler does not report such mistakes at their places, or not at all: it drops an import that is not used, treats an
undeclared name as a global of the page, and leaves the address of another host to the browser, where a script cannot
import. Such a script would build and then fail in the shop.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from awning.diagnostics import Diagnostic, did_you_mean
from awning.script import ScriptFile
from awning.script.imports import AWNING, Import

_OF_ANOTHER_HOST = re.compile(r"(?:https?:)?//", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """The names that "awning" exports. `values` are those that exist at run time, such as functions."""

    values: frozenset[str]
    types: frozenset[str]


def import_findings(script: ScriptFile, exported: Exported) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each imported name that "awning" does not export.

    Names in `import type` and in re-exports are not checked. Also yield a diagnostic for each function that "awning"
    exports, and that the script calls without importing or declaring it, and for each import of a style sheet or from
    another host.
    """
    for statement in script.facts.imports:
        if statement.module.endswith(".css"):
            yield _no_module(
                script,
                statement,
                "style-import",
                "a script imports a style sheet, which would not reach the page",
                "put the rules into the widget's style.css: it is bundled, scoped and inserted automatically",
            )
        elif _OF_ANOTHER_HOST.match(statement.module) and not statement.of_types:
            yield _no_module(
                script,
                statement,
                "unresolved-import",
                f'Could not resolve "{statement.module}": a script of a page cannot import from another host',
                "put the file into the widget's folder and import it with a path that begins with ./",
            )
        if statement.module == AWNING and not (statement.reexport or statement.of_types):
            yield from _unknown(script, statement, exported)
    yield from _not_imported(script, exported.values)


def _no_module(script: ScriptFile, statement: Import, rule: str, message: str, hint: str) -> Diagnostic:
    place = script.place(statement.at)
    return Diagnostic(rule=rule, message=message, place=place, hint=hint, excerpt=script.line(place.line))


def _unknown(script: ScriptFile, statement: Import, exported: Exported) -> Iterator[Diagnostic]:
    known = exported.values | exported.types
    for imported in statement.names:
        if imported.name not in known:
            place = script.place(imported.at)
            yield Diagnostic(
                rule="missing-export",
                message=f'"awning" exports no "{imported.name}"',
                place=place,
                hint=did_you_mean(imported.name, sorted(known))
                or f"beside types, it exports {', '.join(sorted(exported.values))}",
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


def schema_findings(script: ScriptFile) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each import of the type of `data`, in a script of a widget without a schema.

    The type does not exist then, so an editor accepts any key.
    """
    for statement in script.facts.imports:
        if statement.module == "./data.schema":
            place = script.place(statement.at)
            yield Diagnostic(
                rule="unresolved-import",
                message="the type of `data` is made from data.schema.json, but there is none beside this script",
                place=place,
                hint="describe the settings in data.schema.json, or remove the import",
                excerpt=script.line(place.line),
            )
