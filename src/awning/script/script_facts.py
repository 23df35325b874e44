"""The facts of a script that the build and the rules use, read from its tree once.

Of the calls of `t` they have the key of the message and the names of its arguments. The runtime passes `t` to a render
function, which may rename it in a pattern (`{ t: say }`). A `t` that the script itself declares (a function, a class, a
constant, an import) is another function, so its calls do not count. Calls with a computed key or with spread arguments
do not count either.

They say whether the module can fail while it is loaded, before any of its functions is called. The widgets of an app
share one script, and an exception while a module is loaded would end all of it. Most modules only declare: imports,
functions, types, literals and one call of `afterPrice(...)`. These count as code that cannot fail. All other code, and
an import from another widget's folder, is assumed to fail: a `try` that is not needed only costs bytes, but a `try`
that is missing stops the other widgets.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from awning.script.imports import (
    SLOT_FUNCTIONS,
    Export,
    ExportedValue,
    Import,
    exported_values_in,
    exports_in,
    imports_in,
    levels_up,
)
from awning.script.names import declared_names, used_names
from awning.script.template_calls import TemplateCalls, template_calls
from awning.script.tree import Node, NodesByType, Tree

_WRAPPERS = frozenset(
    {"as_expression", "satisfies_expression", "parenthesized_expression", "non_null_expression"}
)
_DECLARATIONS = ("variable_declarator", "function_declaration", "import_specifier", "class_declaration")
_NAMED = frozenset({"pair", "method_definition"})
_T = "t"


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageCall:
    """A call `t("key", {...})`. `at` is the byte offset of the literal key.

    `arguments` are the names in the object; None if they are not all known, for example because of a spread.
    """

    key: str
    at: int
    arguments: tuple[str, ...] | None
    others: tuple[str, ...] = ()
    """The other keys of the same call. For the key `x` in `t(a ? "x" : "y")`, this is `y`."""


def message_calls(nodes: NodesByType) -> Iterator[MessageCall]:
    """Yield the calls in the order of the text.

    A call with a choice of keys (`a ? "x" : "y"`) is yielded once for each key.
    """
    names = set() if _declares_t(nodes) else {_T}
    names |= {alias for node in nodes.get("pair_pattern", ()) if (alias := _renamed(node))}
    for node in nodes.get("call_expression", ()):
        called = node.fields.get("function")
        if called and called.type == "identifier" and called.text in names:
            yield from _calls(node)


def _calls(node: Node) -> Iterator[MessageCall]:
    list_ = node.fields.get("arguments")
    values = list_.kids if list_ else []
    if not values or any(value.type == "spread_element" for value in values[:2]):
        return
    arguments = _arguments(_unwrapped(values[1])) if len(values) > 1 else ()
    texts = _literals(_unwrapped(values[0]))
    keys = tuple(text.text[1:-1] for text in texts)
    for text, key in zip(texts, keys, strict=True):
        others = tuple(other for other in keys if other != key)
        yield MessageCall(key=key, at=text.start, arguments=arguments, others=others)


def _literals(node: Node) -> Sequence[Node]:
    if node.type == "ternary_expression":
        arms = (node.fields.get(name) for name in ("consequence", "alternative"))
        return [text for arm in arms if arm is not None for text in _literals(_unwrapped(arm))]
    plain = all(kid.type == "string_fragment" for kid in node.kids)
    return [node] if node.type in {"string", "template_string"} and plain else []


def _arguments(node: Node) -> tuple[str, ...] | None:
    if node.type != "object":
        return None
    names = [_name(kid) for kid in node.kids]
    return tuple(name for name in names if name) if all(names) else None


def _name(member: Node) -> str | None:
    """Return the name of an argument. None for a spread, a computed name, or a name that is written with escapes."""
    if member.type == "shorthand_property_identifier":
        return member.text
    key = member.fields.get("key" if member.type == "pair" else "name") if member.type in _NAMED else None
    if key is None:
        return None
    if key.type == "string":
        return next((literal.text[1:-1] for literal in _literals(key)), None)
    return key.text if key.type in {"property_identifier", "number"} else None


def _declares_t(nodes: NodesByType) -> bool:
    for clause in nodes.get("import_clause", ()):
        if any(kid.type == "identifier" and kid.text == _T for kid in clause.kids):
            return True
    for kind in _DECLARATIONS:
        for node in nodes.get(kind, ()):
            name = node.fields.get("alias") or node.fields.get("name")
            if name and name.type in {"identifier", "type_identifier"} and name.text == _T:
                return True
    return False


def _renamed(node: Node) -> str | None:
    """Return the new name of `t` in a pattern: `say` in `({ t: say }) => ...`. None if `t` is not renamed there."""
    key, value = node.fields.get("key"), node.fields.get("value")
    return value.text if key and key.text == _T and value and value.type == "identifier" else None


def _unwrapped(node: Node) -> Node:
    """Return the expression inside parentheses, casts and `!`."""
    while node.type in _WRAPPERS and node.kids:
        node = node.kids[0]
    return node


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
    """Whether the script can fail while it is loaded. True with a syntax error."""

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


_LATER = frozenset(
    [
        "comment",
        "import_statement",
        "arrow_function",
        "function_declaration",
        "function_expression",
        "generator_function",
        "generator_function_declaration",
        "interface_declaration",
        "type_alias_declaration",
        "type_annotation",
        "type_arguments",
        "satisfies_type",
        "property_identifier",
        "type_identifier",
    ]
)
"""Types of nodes that are not evaluated while the module is loaded, or that cannot fail."""

_PLAIN = frozenset(
    [
        "program",
        "export_statement",
        "lexical_declaration",
        "variable_declaration",
        "variable_declarator",
        "parenthesized_expression",
        "call_expression",
        "arguments",
        "object",
        "pair",
        "shorthand_property_identifier",
        "array",
        "hole",
        "string",
        "string_fragment",
        "number",
        "true",
        "false",
        "null",
        "undefined",
        "template_string",
        "regex",
        "regex_pattern",
        "regex_flags",
        "as_expression",
        "satisfies_expression",
        "identifier",
        "escape_sequence",
        "export_clause",
        "export_specifier",
        "unary_expression",
        "predefined_type",
        "empty_statement",
    ]
)
"""Types of nodes that fail only if one of their children fails. A call must also be one of `_SAFE_CALLS`."""

_EXPORTED = frozenset({"call_expression", "array", "identifier"})
"""The types of nodes that the value of a default export may have.

Any other value, such as a bare render function, makes the generated call that runs the widget fail.
"""

_SAFE_CALLS = SLOT_FUNCTIONS | {"live", "redrawn", "remembered"}
_GLOBALS = frozenset({"undefined", "NaN", "Infinity", "Number", "String", "Boolean"})


def can_fail_while_loaded(root: Node) -> bool:
    """Return whether a statement at the top level of a module can fail. The module must have no syntax errors."""
    known = set(_GLOBALS).union(*map(_hoisted, root.kids))
    return any(_can_fail(statement, known) for statement in root.kids)


def _hoisted(statement: Node) -> set[str]:
    """Return the names that a statement declares before the first statement runs: imported names and functions."""
    if statement.type == "import_statement":
        return {node.text for node in statement.walk() if node.type == "identifier"}
    declared = statement.fields.get("declaration", statement)
    name = declared.fields.get("name") if "function" in declared.type else None
    return {name.text} if name else set()


def _can_fail(node: Node, known: set[str]) -> bool:
    """Return whether the evaluation of a node can fail.

    Each variable is added to `known` at its declaration, because reading a constant before its declaration fails.
    """
    if node.type == "import_statement":
        return _leaves_the_widget(node)
    if node.type == "variable_declarator":
        name, value = node.fields.get("name"), node.fields.get("value")
        if name is None or name.type != "identifier" or (value is not None and _can_fail(value, known)):
            return True
        known.add(name.text)
        return False
    if node.type in {"identifier", "shorthand_property_identifier"}:
        return node.text not in known
    if node.type in _LATER:
        return False
    return _fails_itself(node) or any(_can_fail(kid, known) for kid in node.kids)


def _fails_itself(node: Node) -> bool:
    if node.type == "call_expression":
        function = node.fields.get("function")
        return function is None or function.text not in _SAFE_CALLS
    if node.type == "export_statement":
        value = node.fields.get("value")
        return _leaves_the_widget(node) or (value is not None and value.type not in _EXPORTED)
    return node.type not in _PLAIN


def _leaves_the_widget(node: Node) -> bool:
    source = node.fields.get("source")
    path = source.text.strip("\"'") if source else ""
    return path.startswith("../") and "_shared/" not in path
