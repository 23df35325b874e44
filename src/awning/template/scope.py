"""Finds the variable that each name refers to, and its value at the beginning of its frame.

The rules and the code are those of `jinja2.idtracking`. A frame has one variable per name. If a frame reads
a name before it writes it, the value comes from the enclosing frame or the context. If a frame writes a name first, its
variable starts as a copy of the enclosing frame's variable, or undefined. If a branch of an `if` is the first to write
a name, its variable starts with the value that the name has without the `if`. Loop bodies, macros, blocks, `with`,
`call`, `filter` and block `set` are frames of their own; `if` is not.

Here is added which statements write a name, and what the lowering of a frame remembers of its names.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Any

from jinja2 import nodes
from jinja2.idtracking import (
    VAR_LOAD_ALIAS,
    VAR_LOAD_PARAMETER,
    VAR_LOAD_RESOLVE,
    VAR_LOAD_UNDEFINED,
    FrameSymbolVisitor,
    RootVisitor,
    Symbols,
)

from awning.template.template_set import imported_names


class Start(Enum):
    """The value of a variable at the entry of its frame."""

    PARAMETER = VAR_LOAD_PARAMETER
    """It is given by the construct that makes the frame."""
    CONTEXT = VAR_LOAD_RESOLVE
    OUTER = VAR_LOAD_ALIAS
    """It is a copy of the enclosing frame's variable."""
    UNDEFINED = VAR_LOAD_UNDEFINED


_STARTS = {start.value: start for start in Start}
"""The starts by Jinja2's names. Each use of a name is looked up here: a call of the class takes five times as long."""


class Scope(Symbols):
    """The variables of one frame. Jinja2's visitor collects them; lowering reads them."""

    parent: "Scope | None"

    def __init__(self, parent: "Scope | None" = None) -> None:
        super().__init__(parent)
        self.writers: dict[str, set[nodes.Node]] = {}
        """The nodes that write each name. If a macro is the only writer, the name can be called directly."""
        self.assigned: set[str] = set()
        """Names that are written by the statements that are already lowered."""
        self.late: set[str] = set()
        """Names that are passed to another template or to a block before their first write is lowered.

        At run time, a flag records whether such a variable has been written. Until then, the context's value is passed.
        """

    def analyze_node(self, node: nodes.Node, **kwargs: Any) -> None:
        """Collect the variables of the frame that a statement makes."""
        visitor = RootVisitor(self)
        visitor.sym_visitor = _Visitor(self)
        visitor.visit(node, **kwargs)

    def collect(self, body: Iterable[nodes.Node]) -> "Scope":
        """Collect the variables of statements, and return the scope."""
        visitor = _Visitor(self)
        for node in body:
            visitor.visit(node)
        return self

    @property
    def starts(self) -> dict[str, Start]:
        """How the variable of each name starts, in order of first appearance."""
        return {name: self.start(name) for name in self.refs}

    def start(self, name: str) -> Start:
        return _STARTS[self.loads[self.refs[name]][0]]

    def owner(self, name: str) -> "Scope | None":
        """Return the nearest frame that has a variable of this name; None if there is none."""
        scope: Scope | None = self
        while scope is not None and name not in scope.refs:
            scope = scope.parent
        return scope

    def only_writer(self, name: str) -> nodes.Node | None:
        """Return the only statement that writes a name.

        None if there is none or more than one, or if the name already has a value before that statement.
        """
        writers = self.writers.get(name, set())
        return next(iter(writers)) if len(writers) == 1 and self.start(name) is Start.UNDEFINED else None

    def visible_stores(self) -> list[str]:
        """Return the names that are written in this frame or an enclosing one."""
        names: set[str] = set()
        scope: Scope | None = self
        while scope is not None:
            # Leaves out `self` and `super` of a root, which no statement writes.
            names |= scope.stores if scope.parent else scope.writers.keys()
            scope = scope.parent
        return sorted(names)


class _Visitor(FrameSymbolVisitor):
    """Jinja2's visitor of the statements of one frame, which also records what writes each name."""

    symbols: Scope

    def visit_Name(self, node: nodes.Name, store_as_param: bool = False, **kwargs: Any) -> None:
        super().visit_Name(node, store_as_param, **kwargs)
        if node.ctx == "store" and not store_as_param:
            self.write(node.name, node)

    def visit_Macro(self, node: nodes.Macro, **kwargs: Any) -> None:
        super().visit_Macro(node, **kwargs)
        self.write(node.name, node)

    def visit_Import(self, node: nodes.Import, **kwargs: Any) -> None:
        super().visit_Import(node, **kwargs)
        self.write(node.target, node)

    def visit_FromImport(self, node: nodes.FromImport, **kwargs: Any) -> None:
        super().visit_FromImport(node, **kwargs)
        for _, alias in imported_names(node):
            self.write(alias, node)

    def write(self, name: str, node: nodes.Node) -> None:
        self.symbols.writers.setdefault(name, set()).add(node)


def scope_of_body(parent: Scope | None, body: Iterable[nodes.Node], parameters: Iterable[str] = ()) -> Scope:
    """Return the scope of a body with `parameters`. A template's root and a block have no enclosing frame."""
    scope = Scope(parent)
    for name in parameters:
        scope.declare_parameter(name)
    return scope.collect(body)


def scope_of_loop(parent: Scope, node: nodes.For, *, loop: bool) -> Scope:
    scope = Scope(parent)
    if loop:
        scope.declare_parameter("loop")
    scope.analyze_node(node, for_branch="body")
    return scope


def scope_of_loop_test(parent: Scope, node: nodes.For) -> Scope:
    scope = Scope(parent)
    scope.analyze_node(node, for_branch="test")
    return scope


def scope_of_with(parent: Scope, node: nodes.With) -> Scope:
    scope = Scope(parent)
    scope.analyze_node(node)
    return scope


def scope_of_macro(parent: Scope, node: nodes.Macro | nodes.CallBlock, parameters: Iterable[str]) -> Scope:
    """Return the scope of a macro's body: its arguments, their defaults, and the implicit names that it uses."""
    scope = Scope(parent).collect([*node.args, *node.defaults])
    for name in parameters:
        if name not in scope.stores:
            scope.declare_parameter(name)
    return scope.collect(node.body)
