"""What a widget exports: a slot, or several in a list. A function by itself would build, and throw in the shop."""

import re
from collections.abc import Iterator

from awning.check.script.source import Source
from awning.check.script.tree import Node, parse
from awning.contract import Dialect
from awning.diagnostics import Diagnostic

_SLOT = re.compile(r"\bexport\s+default\s+(?!(?:after[A-Z]\w*)\s*[(<])|\bas\s+default\b")
"""Only a script that exports something else is parsed."""

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


def default_export_findings(path: str, script: str) -> Iterator[Diagnostic]:
    """A default export, or a part of its list, that is certainly no slot."""
    if not _SLOT.search(script):
        return
    source = Source(path=path, text=script, dialect=Dialect())
    for node in _exported(parse(source).root):
        if node.type in _NO_SLOTS:
            place = source.place(node.start)
            yield Diagnostic(
                rule="missing-export",
                message=f"the widget's script exports {_NO_SLOTS[node.type]}, which is no slot",
                place=place,
                hint="export default afterPrice(({ item }) => ...)",
                excerpt=source.line(place.line or 0),
            )


def _exported(root: Node) -> Iterator[Node]:
    """The values that are exported as default; of a name, what it was declared with."""
    declared = _declared(root)
    for value in _defaults(root):
        for one in value.kids if value.type == "array" else [value]:
            yield declared.get(one.text, one) if one.type == "identifier" else one


def _defaults(root: Node) -> Iterator[Node]:
    for node in root.kids:
        if node.type != "export_statement" or "source" in node.fields:
            continue
        if node.text.split(maxsplit=2)[1:2] == ["default"]:
            yield from (node.fields[name] for name in ("value", "declaration") if name in node.fields)
        for one in node.walk():
            alias = one.fields.get("alias")
            if one.type == "export_specifier" and alias and alias.text == "default":
                yield one.fields["name"]


def _declared(root: Node) -> dict[str, Node]:
    """What the names at the top were declared with."""
    found: dict[str, Node] = {}
    for node in root.kids:
        for one in (node, *node.kids, *(kid for part in node.kids for kid in part.kids)):
            if one.type == "variable_declarator" and "value" in one.fields:
                found[one.fields["name"].text] = one.fields["value"]
            if one.type == "function_declaration":
                found[one.fields["name"].text] = one
    return found
