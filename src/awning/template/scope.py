"""Finds the variable that each name refers to, and its value at the beginning of its frame.

The rules are those of `jinja2.idtracking`; tests compare them. A frame has one variable per name. If a frame reads a
name before it writes it, the value comes from the enclosing frame or the context. If a frame writes a name first, its
variable starts as a copy of the enclosing frame's variable, or undefined. If a branch of an `if` is the first to write
a name, its variable starts with the value that the name has without the `if`. Loop bodies, macros, blocks, `with`,
`call`, `filter` and block `set` are frames of their own; `if` is not.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from jinja2 import nodes
from jinja2.visitor import NodeVisitor

from awning.template.template_set import imported_names


class Start(Enum):
    """The value of a variable at the entry of its frame."""

    PARAMETER = "given by the construct that makes the frame"
    CONTEXT = "the context's value"
    OUTER = "a copy of the enclosing frame's variable"
    UNDEFINED = "nothing"


@dataclass(slots=True)
class Scope:
    """The variables of one frame. `ScopeVisitor` collects them; lowering reads them."""

    parent: "Scope | None" = None
    starts: dict[str, Start] = field(default_factory=dict)
    """How the variable of each name starts, in order of first appearance."""
    stores: set[str] = field(default_factory=set)
    writers: dict[str, set[nodes.Node]] = field(default_factory=dict)
    """The nodes that write each name. If a macro is the only writer, the name can be called directly."""
    assigned: set[str] = field(default_factory=set)
    """Names that are written by the statements that are already lowered."""
    late: set[str] = field(default_factory=set)
    """Names that are passed to another template or to a block before their first write is lowered.

    At run time, a flag records whether such a variable has been written. Until then, the context's value is passed.
    """
    before: "Scope | None" = None
    """For the scope of an arm of an `if`: the scope before the `if`; else None.

    The scope of an arm has only the names that the arm adds.
    """
    level: int = field(init=False)
    """The number of frames around this one."""

    def __post_init__(self) -> None:
        self.level = 0 if self.parent is None else self.parent.level + 1

    def owner(self, name: str) -> "Scope | None":
        """Return the nearest frame that has a variable of this name; None if there is none."""
        scope: Scope | None = self
        while scope is not None and not scope.has(name):
            scope = scope.parent
        return scope

    def has(self, name: str) -> bool:
        return any(name in scope.starts for scope in self.states())

    def states(self) -> "Iterator[Scope]":
        """Yield this scope, and the scopes before each enclosing `if`."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.before

    def outer_has(self, name: str) -> bool:
        return self.parent is not None and self.parent.owner(name) is not None

    def declare(self, name: str) -> None:
        self.stores.add(name)
        self.starts[name] = Start.PARAMETER

    def load(self, name: str) -> None:
        if self.owner(name) is None:
            self.starts[name] = Start.CONTEXT

    def store(self, name: str, writer: nodes.Node) -> None:
        self.stores.add(name)
        self.writers.setdefault(name, set()).add(writer)
        if not self.has(name):
            self.starts[name] = Start.OUTER if self.outer_has(name) else Start.UNDEFINED

    def branch(self) -> "Scope":
        return Scope(parent=self.parent, before=self)

    def merge(self, branches: Iterable["Scope"]) -> None:
        """Add the names of an `if`'s arms."""
        arms = list(branches)
        stored = set().union(*(arm.stores for arm in arms))
        written = [name for name in stored if not any(name in scope.stores for scope in self.states())]
        for arm in arms:
            self.starts.update(arm.starts)
            self.stores.update(arm.stores)
            for name, writers in arm.writers.items():
                self.writers.setdefault(name, set()).update(writers)
        for name in sorted(written):
            self.starts[name] = Start.OUTER if self.outer_has(name) else Start.CONTEXT

    def only_writer(self, name: str) -> nodes.Node | None:
        """Return the only statement that writes a name.

        None if there is none or more than one, or if the name already has a value before that statement.
        """
        writers = self.writers.get(name, set())
        return next(iter(writers)) if len(writers) == 1 and self.starts[name] is Start.UNDEFINED else None

    def visible_stores(self) -> list[str]:
        """Return the names that are written in this frame or an enclosing one."""
        names: set[str] = set()
        scope: Scope | None = self
        while scope is not None:
            stores = (
                scope.stores if scope.parent else scope.writers.keys()
            )  # leaves out `self` and `super` of a root, which no statement writes
            names |= stores
            scope = scope.parent
        return sorted(names)


class ScopeVisitor(NodeVisitor):
    """Visits the statements of one frame in order. It does not enter other frames."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def visit_all(self, body: Iterable[nodes.Node]) -> Scope:
        for node in body:
            self.visit(node)
        return self.scope

    def visit_Name(self, node: nodes.Name) -> None:
        if node.ctx == "param":
            self.scope.declare(node.name)
        elif node.ctx == "store":
            self.scope.store(node.name, node)
        else:
            self.scope.load(node.name)

    def visit_NSRef(self, node: nodes.NSRef) -> None:
        self.scope.load(node.name)

    def visit_If(self, node: nodes.If) -> None:
        self.visit(node.test)
        arms = (node.body, node.elif_, node.else_ or [])
        self.scope.merge([ScopeVisitor(self.scope.branch()).visit_all(arm) for arm in arms])

    def visit_Macro(self, node: nodes.Macro) -> None:
        self.scope.store(node.name, node)

    def visit_Import(self, node: nodes.Import) -> None:
        self.generic_visit(node)
        self.scope.store(node.target, node)

    def visit_FromImport(self, node: nodes.FromImport) -> None:
        self.generic_visit(node)
        for _, alias in imported_names(node):
            self.scope.store(alias, node)

    def visit_Assign(self, node: nodes.Assign) -> None:
        self.visit(node.node)
        self.visit(node.target)

    def visit_AssignBlock(self, node: nodes.AssignBlock) -> None:
        self.visit(node.target)

    def visit_For(self, node: nodes.For) -> None:
        self.visit(node.iter)

    def visit_CallBlock(self, node: nodes.CallBlock) -> None:
        self.visit(node.call)

    def visit_FilterBlock(self, node: nodes.FilterBlock) -> None:
        self.visit(node.filter)

    def visit_With(self, node: nodes.With) -> None:
        for value in node.values:
            self.visit(value)

    def visit_Scope(self, node: nodes.Scope) -> None:
        """Do not enter: the node is another frame."""

    def visit_Block(self, node: nodes.Block) -> None:
        """Do not enter: the node is another frame."""

    def visit_OverlayScope(self, node: nodes.OverlayScope) -> None:
        """Do not enter: the node is another frame."""


def declare_targets(scope: Scope, target: nodes.Node) -> None:
    """Declare the names of a loop's target as parameters of the loop."""
    names = [target] if isinstance(target, nodes.Name) else target.find_all(nodes.Name)
    for name in names:
        if isinstance(name, nodes.Name):
            scope.declare(name.name)


def scope_of_template(body: Iterable[nodes.Node], parameters: Iterable[str] = ()) -> Scope:
    """Return the scope of a template's root or of a block, which has no enclosing frame."""
    return scope_of_body(None, body, parameters)


def scope_of_body(parent: Scope | None, body: Iterable[nodes.Node], parameters: Iterable[str] = ()) -> Scope:
    """Return the scope of a body with `parameters`."""
    scope = Scope(parent=parent)
    for name in parameters:
        scope.declare(name)
    return ScopeVisitor(scope).visit_all(body)


def scope_of_loop(parent: Scope, node: nodes.For, *, loop: bool) -> Scope:
    scope = Scope(parent=parent)
    if loop:
        scope.declare("loop")
    declare_targets(scope, node.target)
    return ScopeVisitor(scope).visit_all(node.body)


def scope_of_loop_test(parent: Scope, node: nodes.For) -> Scope:
    scope = Scope(parent=parent)
    declare_targets(scope, node.target)
    return ScopeVisitor(scope).visit_all([node.test] if node.test else [])


def scope_of_with(parent: Scope, node: nodes.With) -> Scope:
    return ScopeVisitor(Scope(parent=parent)).visit_all([*node.targets, *node.body])


def scope_of_macro(parent: Scope, node: nodes.Macro | nodes.CallBlock, parameters: Iterable[str]) -> Scope:
    """Return the scope of a macro's body: its arguments, their defaults, and the implicit names that it uses."""
    scope = Scope(parent=parent)
    walk = ScopeVisitor(scope)
    walk.visit_all([*node.args, *node.defaults])
    for name in parameters:
        if name not in scope.stores:
            scope.declare(name)
    return walk.visit_all(node.body)
