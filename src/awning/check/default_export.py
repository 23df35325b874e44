"""What a widget exports: a slot, or several in a list. A function by itself would build, and throw in the shop."""

from collections.abc import Iterator

from awning.diagnostics import Diagnostic
from awning.script import ScriptFile

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


def default_export_findings(script: ScriptFile) -> Iterator[Diagnostic]:
    """A default export, or a part of its list, that is certainly no slot."""
    for value in script.facts.default_values:
        if value.type in _NO_SLOTS:
            place = script.place(value.at)
            yield Diagnostic(
                rule="missing-export",
                message=f"the widget's script exports {_NO_SLOTS[value.type]}, which is no slot",
                place=place,
                hint="export default afterPrice(({ item }) => ...)",
                excerpt=script.line(place.line),
            )
