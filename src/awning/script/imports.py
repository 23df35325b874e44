"""The imports and exports of a script."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from awning.contract.slots import SLOTS
from awning.script.names import TYPE_DECLARATIONS, names_in
from awning.script.tree import Node, NodesByType

TEMPLATE_ENDING = ".html.j2"

AWNING = "awning"
"""The module from which widgets import their slots."""

SLOT_FUNCTIONS = frozenset(slot.function for slot in SLOTS.values())
"""The functions of "awning" that an author calls with a render function."""


@dataclass(frozen=True, slots=True)
class ImportedName:
    """A name between the braces of an import or a re-export: `name as local`. `at` is the byte offset of `name`."""

    name: str
    local: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """An import statement, or an export from another module (`reexport`).

    `at` is the byte offset of the module's name. `names` are the names between braces; `default` and `namespace` are
    local names. `of_types` is whether it is an `import type` or an `export type`.
    """

    module: str
    at: int
    names: tuple[ImportedName, ...] = ()
    default: str | None = None
    namespace: str | None = None
    of_types: bool = False
    reexport: bool = False
    is_star_export: bool = False
    """Whether it is `export * from` without `as`."""

    @property
    def locals(self) -> Iterator[str]:
        """The local names that the import declares in the script. An export from another module declares none."""
        if not self.reexport:
            yield from (name for name in (self.default, self.namespace) if name)
            yield from (imported.local for imported in self.names)


@dataclass(frozen=True, slots=True)
class Export:
    """A name that a module exports. `is_type` is whether the export declares a type, or is an `export type`."""

    name: str
    is_type: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedValue:
    """The value of an export or, if it is an array, one item of it: the type and byte offset of its node.

    `name` is the name that it reads, or the function that it calls: `afterCart`, `awning.afterCart`. Any other value
    has an empty name.
    """

    type: str
    at: int
    name: str = ""


def imports_in(nodes: NodesByType) -> Iterator[Import]:
    for node in nodes.get("import_statement", ()):
        # In `import name = require("module")` the module's name is inside a clause.
        within = (kid.fields.get("source") for kid in node.kids if kid.type == "import_require_clause")
        source = node.fields.get("source") or next(within, None)
        if source:
            clause = next((kid for kid in node.kids if kid.type == "import_clause"), None)
            parts = clause.kids if clause else []
            yield Import(
                module=_module(source),
                at=source.start,
                names=tuple(_names(node)),
                default=next((kid.text for kid in parts if kid.type == "identifier"), None),
                namespace=next(
                    (kid.kids[0].text for kid in parts if kid.type == "namespace_import" and kid.kids), None
                ),
                of_types="type" in node.marks,
            )
    for node in nodes.get("export_statement", ()):
        source = node.fields.get("source")
        if source:
            yield Import(
                module=_module(source),
                at=source.start,
                names=tuple(_names(node)),
                of_types="type" in node.marks,
                reexport=True,
                is_star_export=not any(kid.type in _NAMING_EXPORTS for kid in node.kids),
            )


_NAMING_EXPORTS = frozenset({"export_clause", "namespace_export"})


def exports_in(nodes: NodesByType) -> Iterator[Export]:
    """Yield the exported names. Those of `export * from` are left out, because only the other module lists them."""
    for node in nodes.get("export_statement", ()):
        of_types = "type" in node.marks
        if "default" in node.marks:
            yield Export("default", is_type=False)
        elif "declaration" in node.fields:
            yield from _declared(node.fields["declaration"])
        for part in node.kids:
            if part.type == "namespace_export" and part.kids:
                yield Export(part.kids[0].text, is_type=of_types)
        for specifier in _specifiers(node):
            name = specifier.fields.get("alias") or specifier.fields.get("name")
            if name:
                yield Export(name.text, is_type=of_types or "type" in specifier.marks)


def levels_up(texts: Iterable[str]) -> int:
    """Return the largest number of folders that a path in `texts` goes up: 2 for `../../view.ts`.

    A path into a folder whose name begins with `_` does not count, because all widgets share such a folder.
    """
    most = 0
    for text in texts:
        levels = 0
        for part in text.split("../")[1:]:
            levels += 1
            if part:
                most = max(most, 0 if part.startswith("_") else levels)
                levels = 0
        most = max(most, levels)
    return most


def exported_values_in(root: Node) -> dict[str, tuple[ExportedValue, ...]]:
    """Return the values that a script exports, by the exported name. An array is replaced by its items.

    A name that is declared at the top level of the script is replaced by its value. Exports from another module are
    left out.
    """
    declared = _values_at_the_top(root)
    return {
        name: tuple(_exported_value(item) for item in _items(node, declared))
        for name, node in _exported_nodes(root)
    }


_WRAPPERS = frozenset(
    {"parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression"}
)


def _items(node: Node, declared: Mapping[str, Node]) -> Iterator[Node]:
    node = _resolved(node, declared)
    if node.type == "array":
        yield from (_resolved(item, declared) for item in node.kids)
    else:
        yield node


def _resolved(node: Node, declared: Mapping[str, Node]) -> Node:
    """Return the value of a node without parentheses and types, after following the names in `declared`."""
    followed: set[str] = set()
    while True:
        if node.type in _WRAPPERS and node.kids:
            node = node.kids[0]
        elif node.type == "identifier" and node.text in declared and node.text not in followed:
            followed.add(node.text)
            node = declared[node.text]
        else:
            return node


def _exported_value(node: Node) -> ExportedValue:
    called = node.fields.get("function") if node.type == "call_expression" else node
    named = called is not None and called.type in ("identifier", "member_expression")
    return ExportedValue(type=node.type, at=node.start, name=called.text if called and named else "")


def _declared(declaration: Node) -> Iterator[Export]:
    if declaration.type == "ambient_declaration":
        for kid in declaration.kids:
            yield from _declared(kid)
    elif declaration.type in {"lexical_declaration", "variable_declaration"}:
        for kid in declaration.kids:
            if "name" in kid.fields:
                yield from (Export(name, is_type=False) for name in names_in(kid.fields["name"]))
    elif "name" in declaration.fields:
        yield Export(declaration.fields["name"].text, is_type=declaration.type in TYPE_DECLARATIONS)


def _exported_nodes(root: Node) -> Iterator[tuple[str, Node]]:
    """Yield the exported names with their values, or with the nodes of their names."""
    for node in root.kids:
        if node.type != "export_statement" or "source" in node.fields:
            continue
        if "default" in node.marks:
            yield from (
                ("default", node.fields[name]) for name in ("value", "declaration") if name in node.fields
            )
        elif "declaration" in node.fields:
            yield from _values_in(node.fields["declaration"])
        for specifier in _specifiers(node):
            name = specifier.fields.get("name")
            if name:
                yield specifier.fields.get("alias", name).text, name


def _values_at_the_top(root: Node) -> dict[str, Node]:
    """Return the values of the names that are declared at the top level of a script."""
    return {
        name: value
        for statement in root.kids
        for node in (statement, *statement.kids)
        for name, value in _values_in(node)
    }


def _values_in(declaration: Node) -> Iterator[tuple[str, Node]]:
    """Yield the names that a declaration at the top level declares, with their values."""
    if declaration.type in ("function_declaration", "class_declaration") and "name" in declaration.fields:
        yield declaration.fields["name"].text, declaration
    for node in declaration.kids:
        if node.type == "variable_declarator" and "value" in node.fields:
            yield node.fields["name"].text, node.fields["value"]


def _names(statement: Node) -> Iterator[ImportedName]:
    for specifier in _specifiers(statement):
        name = specifier.fields.get("name")
        if name:
            yield ImportedName(name.text, specifier.fields.get("alias", name).text, name.start)


def _specifiers(statement: Node) -> Iterable[Node]:
    """Yield the items between the braces of an import or an export."""
    for clause in statement.kids:
        if clause.type == "export_clause":
            yield from (kid for kid in clause.kids if kid.type == "export_specifier")
        elif clause.type == "import_clause":
            named = [kid for kid in clause.kids if kid.type == "named_imports"]
            yield from (kid for list_ in named for kid in list_.kids if kid.type == "import_specifier")


def _module(source: Node) -> str:
    return source.text.strip("\"'")
