"""Checks what a widget's script imports and exports.

It imports names of "awning", style sheets, and files of other hosts. The bundler does not report such mistakes at their
places, or not at all: it drops an import that is not used, treats an undeclared name as a global of the page, and
leaves the address of another host to the browser, where a script cannot import. Such a script would build and then fail
in the shop.

It exports its slots, the same ones as widget.toml names. widget.toml decides on which pages tests and publishing expect
the widget. The script decides on which event it renders. Where they differ, the widget builds, and shows nothing on the
page that widget.toml names.
"""

import posixpath
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from awning.contract import SLOTS
from awning.diagnostics import Diagnostic, Place, did_you_mean
from awning.script.file import ScriptFile
from awning.script.imports import AWNING, SLOT_FUNCTIONS, ExportedValue, Import
from awning.workspace.model import Widget
from awning.workspace.offsets import find_toml_offsets, line_and_column

_NO_SLOTS = {
    "arrow_function": "a function",
    "class": "a class",
    "class_declaration": "a class",
    "function_declaration": "a function",
    "function_expression": "a function",
    "number": "a number",
    "object": "an object",
    "string": "a text",
    "template_string": "a text",
}


_ENDINGS = ("", ".ts", ".js", ".mts", ".mjs", "/index.ts", "/index.js")
"""What the bundler adds to the path of an import to find a script."""

_SLOT_OF = {slot.function: slot.name for slot in SLOTS.values()}


def default_export(slots: Sequence[str]) -> str:
    """Return what the script of a widget in these slots exports, in short."""
    calls = ", ".join(SLOTS[name].example for name in slots)
    return f"export default {calls if len(slots) == 1 else f'[{calls}]'}"


def default_export_findings(script: ScriptFile, slots: Sequence[str]) -> Iterator[Diagnostic]:
    """Yield a diagnostic for a default export, or an item of an exported list, that is certainly not a slot.

    `slots` are the widget's.
    """
    for value in script.facts.exported_values.get("default", ()):
        if value.type in _NO_SLOTS:
            place = script.place(value.at)
            yield Diagnostic(
                rule="missing-export",
                message=f"the widget's script exports {_NO_SLOTS[value.type]}, which is not a slot",
                place=place,
                hint=default_export(slots),
                excerpt=script.line(place.line),
            )


@dataclass(frozen=True, slots=True)
class _ExportedSlot:
    """A slot that the widget exports. The script calls the slot's function at the byte offset `at`."""

    name: str
    script: ScriptFile
    at: int


def slot_findings(
    widget: Widget, script: ScriptFile, scripts: Mapping[str, ScriptFile], manifest: str
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each exported slot that widget.toml does not name, else for each one that is missing.

    `script` is the widget's script, `scripts` are all scripts by path, and `manifest` is the text of widget.toml.
    Nothing is reported when an export is neither a call of a slot's function nor leads to one.
    """
    exported = list(_exported_slots(script, "default", scripts, frozenset()))
    slots = [slot for slot in exported if slot is not None]
    if not slots or len(slots) < len(exported):
        return
    surplus = {slot.name: slot for slot in slots if slot.name not in widget.slots}
    yield from (_surplus(slot, widget) for slot in surplus.values())
    if not surplus:
        names = {slot.name for slot in slots}
        yield from (_missing(name, widget, manifest) for name in widget.slots if name not in names)


def _exported_slots(
    script: ScriptFile, export: str, scripts: Mapping[str, ScriptFile], followed: frozenset[tuple[str, str]]
) -> Iterator[_ExportedSlot | None]:
    """Yield the slots of one export. None stands for a value that is not known to be a slot.

    Exports of other scripts are followed. `followed` are the exports that led to this one.
    """
    if (script.path, export) in followed:
        return
    followed |= {(script.path, export)}
    for value in script.facts.exported_values.get(export, ()):
        yield from _slots_of(value, script, scripts, followed)
    for statement in script.facts.imports:
        for name in statement.names if statement.reexport else ():
            if name.local == export:
                yield from _slots_in(script, statement.module, name.name, scripts, followed)


def _slots_of(
    value: ExportedValue,
    script: ScriptFile,
    scripts: Mapping[str, ScriptFile],
    followed: frozenset[tuple[str, str]],
) -> Iterator[_ExportedSlot | None]:
    module, name = _imported(value.name, script)
    if value.type == "call_expression":
        known = module == AWNING and name in SLOT_FUNCTIONS
        yield _ExportedSlot(_SLOT_OF[name], script, value.at) if known else None
    elif module.startswith("."):
        yield from _slots_in(script, module, name, scripts, followed)
    else:
        yield None


def _imported(name: str, script: ScriptFile) -> tuple[str, str]:
    """Return the module and the name there of an imported name such as `afterCart` or `awning.afterCart`.

    Both are empty for a name that is not imported.
    """
    for statement in script.facts.imports:
        if statement.reexport or statement.of_types:
            continue
        if name == statement.default:
            return statement.module, "default"
        if statement.namespace and name.startswith(f"{statement.namespace}."):
            return statement.module, name.partition(".")[2]
        for imported in statement.names:
            if name == imported.local:
                return statement.module, imported.name
    return "", ""


def _slots_in(
    script: ScriptFile,
    module: str,
    export: str,
    scripts: Mapping[str, ScriptFile],
    followed: frozenset[tuple[str, str]],
) -> Iterator[_ExportedSlot | None]:
    path = posixpath.normpath(posixpath.join(posixpath.dirname(script.path), module))
    other = next((scripts[path + end] for end in _ENDINGS if path + end in scripts), None)
    if other is None:
        yield None
    else:
        yield from _exported_slots(other, export, scripts, followed)


def _surplus(slot: _ExportedSlot, widget: Widget) -> Diagnostic:
    named = " and ".join(f'"{name}"' for name in widget.slots)
    place = slot.script.place(slot.at)
    is_single = len(widget.slots) == 1
    return Diagnostic(
        rule="slot-mismatch",
        message=f"the script exports {SLOTS[slot.name].function}(...), but the slot{'' if is_single else 's'} in "
        f"widgets/{widget.name}/widget.toml {'is' if is_single else 'are'} {named}",
        place=place,
        hint=f'write slot = "{slot.name}" in widget.toml, or export {_functions(widget)}'
        if is_single
        else f'add "{slot.name}" to slots in widget.toml, or remove it here',
        excerpt=slot.script.line(place.line),
    )


def _functions(widget: Widget) -> str:
    return " and ".join(f"{SLOTS[name].function}(...)" for name in widget.slots)


def _missing(name: str, widget: Widget, manifest: str) -> Diagnostic:
    offsets = find_toml_offsets(manifest)
    listed = tomllib.loads(manifest).get("slots")
    where = ("slots", listed.index(name)) if isinstance(listed, list) and name in listed else ("slot",)
    line, column = line_and_column(manifest, offsets.get(where, 0))
    function = SLOTS[name].function
    return Diagnostic(
        rule="slot-mismatch",
        message=f'the slot "{name}" is named here, but widget.ts exports no {function}(...)',
        place=Place(path=f"widgets/{widget.name}/widget.toml", line=line, column=column),
        hint=f"add {function}(...) to the exported list, or remove the slot",
        excerpt=manifest.split("\n")[line - 1],
    )


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
