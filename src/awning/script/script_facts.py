"""The facts of a script that the build and the rules use, read from its tree once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from awning.script.imports import (
    Export,
    ExportedValue,
    Import,
    exported_values_in,
    exports_in,
    imports_in,
    levels_up,
)
from awning.script.loading import can_fail_while_loaded
from awning.script.message_calls import MessageCall, message_calls
from awning.script.names import declared_names, used_names
from awning.script.template_calls import TemplateCalls, template_calls
from awning.script.tree import NodesByType, Tree

_WAITING = frozenset({"Promise", "fetch", "meanwhile", "then"})
_ELEMENTS = ("jsx_opening_element", "jsx_self_closing_element")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptFacts:
    """The facts of one script. Offsets count bytes.

    If the script has a syntax error, only the part that could be parsed is read, unless a field says otherwise.
    """

    broken: bool
    """Whether the script has a syntax error."""
    names: frozenset[str]
    """Every name in the code: variables, properties, types, and keys as in `value["key"]`."""
    texts: tuple[str, ...]
    """The content of each string and template literal without decoding, and the source of each JSX opening tag."""
    levels_up: int
    """The largest number of folders that a path in `texts` goes up. Paths into a shared folder do not count.

    With a syntax error, the whole source is searched for paths.
    """
    imports: tuple[Import, ...]
    exports: tuple[Export, ...]
    exported_values: Mapping[str, tuple[ExportedValue, ...]]
    """The values of the exports by name, each item of an array by itself. Those from other modules are left out."""
    declared: frozenset[str]
    """Names that the script declares in any scope, without imports."""
    calls: Mapping[str, int]
    """The names of functions that the script calls as `name(...)`, each with the offset of its first call."""
    message_calls: tuple[MessageCall, ...]
    template_calls: tuple[TemplateCalls, ...]
    """Calls of the templates that the script imports. Empty with a syntax error."""
    asynchronous: bool
    """Whether a function of the script may return a promise. True with a syntax error."""
    can_fail_while_loaded: bool
    """Whether the script can fail while it is loaded (`loading.py`). True with a syntax error."""

    @property
    def exports_default(self) -> bool:
        return any(export.name == "default" for export in self.exports)


def read_facts(tree: Tree) -> ScriptFacts:
    nodes = tree.nodes_by_type()
    broken = tree.broken_at is not None
    imports = tuple(imports_in(nodes))
    names = used_names(nodes)
    declared = declared_names(nodes)
    texts = tuple(_texts(nodes))
    calls: dict[str, int] = {}
    for node in nodes.get("call_expression", ()):
        called = node.fields.get("function")
        if called and called.type == "identifier":
            calls.setdefault(called.text, called.start)
    return ScriptFacts(
        broken=broken,
        names=names,
        texts=texts,
        levels_up=levels_up([tree.root.text] if broken else texts),
        imports=imports,
        exports=tuple(exports_in(nodes)),
        exported_values=exported_values_in(tree.root),
        declared=declared,
        calls=calls,
        message_calls=tuple(message_calls(nodes)) if "t" in names else (),
        template_calls=() if broken else tuple(template_calls(nodes, imports, declared)),
        asynchronous=broken
        or not names.isdisjoint(_WAITING)
        or "await_expression" in nodes
        or "import" in nodes  # the callee of `import(...)` is a node of this type
        or any("async" in node.marks for listed in nodes.values() for node in listed if node.marks),
        can_fail_while_loaded=broken or can_fail_while_loaded(tree.root),
    )


def _texts(nodes: NodesByType) -> Iterator[str]:
    for kind in ("string", "template_string"):
        yield from (node.text[1:-1] for node in nodes.get(kind, ()))
    for kind in _ELEMENTS:
        yield from (node.text for node in nodes.get(kind, ()))
