"""The state of lowering: the `Compilation`, the `Frame` of a node, and the `Scope` with the variables of a frame.

A scope finds the variable that each name refers to, and its value at the beginning of its frame. The rules and the code
are those of `jinja2.idtracking`. A frame has one variable per name. If a frame reads a name before it writes it, the
value comes from the enclosing frame or the context. If a frame writes a name first, its variable starts as a copy of
the enclosing frame's variable, or undefined. If a branch of an `if` is the first to write a name, its variable starts
with the value that the name has without the `if`. Loop bodies, macros, blocks, `with`, `call`, `filter` and block `set`
are frames of their own; `if` is not.

Here is added which statements write a name, and what the lowering of a frame remembers of its names.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
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

from awning.contract import Dialect
from awning.diagnostics import Diagnostic
from awning.template.compiled_template import MessageUse
from awning.template.declarations import Promises
from awning.template.emit import Js, Statement, js_string
from awning.template.html.html_context import HtmlContext
from awning.template.refusals import TemplateRefusal
from awning.template.regions import Region, Regions
from awning.template.template_set import Chain, ParsedTemplate, imported_names


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

    def variable(self, name: str) -> str:
        """Return the JavaScript variable of a name in this frame.

        It ends with `_` and the level of the scope, so it is neither a reserved word nor the name of a helper or of a
        temporary variable: none of these ends with an underscore and digits.
        """
        plain = name if name.isascii() else "".join(c if c.isascii() else f"${ord(c):x}$" for c in name)
        return f"{plain}_{self.level}"

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of one compilation."""

    dialect: Dialect
    dev: bool


@dataclass(slots=True, kw_only=True)
class RootFunction:
    """The function for a template's root. `variables` are the names that it reads from its context.

    `variables` is None while the function is being compiled.
    """

    function: str
    variables: frozenset[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopContents:
    """The contents of a node that decide how the loop around the node is compiled."""

    assignment: nodes.Name | None
    """The first assignment to `loop`; None if there is none. Such an assignment is refused."""
    names_loop: bool
    """Whether the name `loop` is used outside of blocks, also in an inner loop.

    In that case Jinja2 makes the `loop` object, and included templates can read it.
    """
    scoped_block: bool
    includes: bool


@dataclass(slots=True, kw_only=True)
class Compilation:
    """The results that one compilation gathers. `compile_template` makes one for each call."""

    options: Options
    regions: Regions
    helpers: set[str] = field(default_factory=set)
    functions: dict[str, list[Statement]] = field(default_factory=dict)
    """Module-level functions by name, in order of creation."""
    variables: set[str] = field(default_factory=set)
    """The names that the templates read from their context."""
    messages: list[MessageUse] = field(default_factory=list)
    computes_keys: bool = False
    """Whether the key of a message is computed, so that any string may be one."""
    warnings: list[Diagnostic] = field(default_factory=list)
    roots: dict[tuple[str, HtmlContext | None], RootFunction] = field(default_factory=dict)
    blocks: dict[tuple[int, str, int, HtmlContext], str] = field(default_factory=dict)
    stored: dict[int, Js] = field(default_factory=dict)
    """For each expression that is already evaluated, by its node's id: the JavaScript variable with its value."""
    loop_contents: dict[int, LoopContents] = field(default_factory=dict)
    """The contents (`loop_contents`) of each node that was already searched, by the node's id."""
    temporaries: int = 0
    recurring: frozenset[int | str] = frozenset()
    """What may call itself: macros, call bodies and blocks by their nodes' ids, templates by their names."""
    promises: Promises = field(default_factory=Promises)

    def bounded(self, place: int | str, what: str) -> tuple[str, str]:
        """Return the code to put before and after a function that may call itself. It limits the depth of the calls.

        Both are empty for any other function.
        """
        if place not in self.recurring:
            return "", ""
        self.helpers.add("bounded")
        return f"/* @__PURE__ */ bounded({js_string(what)}, ", ")"

    def function_name(self, kind: str) -> str:
        self.temporaries += 1
        return f"{kind}${self.temporaries}"

    def temporary(self) -> str:
        self.temporaries += 1
        return f"${self.temporaries}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopFrame:
    """The loop to which `loop` refers.

    A `simple` loop has no object for `loop`, only variables for its counter and its list.
    """

    index: str
    items: str
    value: str
    simple: bool
    recursive: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The surroundings of a node: its template, its variables, the buffer it writes to, its HTML region."""

    compilation: Compilation
    template: ParsedTemplate
    chain: Chain
    scope: Scope
    region: Region
    buffer: str = "$out"
    toplevel: bool = False
    """Whether this is the frame of a template's root, not one inside it, such as that of a loop or a block."""
    shared: bool = False
    """Whether names that are set at the top level are also written into `context`, where blocks read them."""
    loop: LoopFrame | None = None
    macros: Mapping[str, "MacroShape"] = field(default_factory=dict)
    """Macros by JavaScript variable, for variables that hold the same macro wherever they are read."""
    modules: frozenset[str] = frozenset()
    """JavaScript variables that hold the same imported template wherever they are read."""
    buffered: bool = False
    """Whether the output is collected as a value before it is written, as in macros, calls and block sets."""
    block: "tuple[str, int] | None" = None
    """The name of the block that is compiled, and the depth of its version in the chain of parents."""

    def use(self, helper: str) -> str:
        """Import a helper of the run-time library. Returns its name."""
        self.compilation.helpers.add(helper)
        return helper

    def refuse(
        self, rule: str, message: str, node: nodes.Node | int, hint: str | None = None
    ) -> TemplateRefusal:
        while isinstance(node, nodes.Call):  # Jinja2 gives a call the place of its parenthesis
            node = node.node
        at = node.lineno if isinstance(node, nodes.Node) else node
        return TemplateRefusal(rule, message, at=at, hint=hint)

    def warn(self, rule: str, message: str, node: nodes.Node, hint: str | None = None) -> None:
        self.compilation.warnings.append(self.refuse(rule, message, node, hint).diagnostic())

    def inner(self, scope: Scope, **changes: object) -> "Frame":
        return replace(self, scope=scope, toplevel=False, **changes)  # type: ignore[arg-type]

    def is_reserved(self, name: str) -> bool:
        """Return whether a name is the `super` of a block or the `self` of a template, which no statement sets."""
        owner = self.scope.owner(name) if name in {"super", "self"} else None
        return (
            owner is not None
            and owner.parent is None
            and owner.start(name) is Start.PARAMETER
            and not owner.writers.get(name)
        )

    def start_of(self, name: str) -> str | None:
        """Return the code of a variable's first value in this frame; None if it is undefined or a parameter."""
        start = self.scope.start(name)
        if start is Start.UNDEFINED or start is Start.PARAMETER:
            return None
        if start is Start.CONTEXT:
            return self.from_context(name)
        assert self.scope.parent is not None
        outer = replace(self, scope=self.scope.parent)
        return outer.variable_of(name) or outer.from_context(name)

    def variable_of(self, name: str) -> str | None:
        """Return the JavaScript variable of a name in this frame; None if the name comes from the context."""
        owner = self.scope.owner(name)
        if owner is None or (owner.start(name) is Start.CONTEXT and name not in owner.stores):
            return None
        return owner.variable(name)

    def from_context(self, name: str) -> str:
        """Return code that reads a variable of the context, and record that the templates read it."""
        self.compilation.variables.add(name)
        return context_name(name)


def context_name(name: str) -> str:
    """Return code that reads a variable of the context.

    The read is safe, because a context has no prototype (`scope_object`).
    """
    return f"context.{name}" if name.isascii() else f"context[{js_string(name)}]"


def scope_object(*parts: str) -> str:
    """Return the code of a context.

    The context is an object without a prototype, so that no name reads a property of `Object.prototype`.
    """
    return f"{{{', '.join(['__proto__: null', *parts])}}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MacroShape:
    """The parameters of a macro or a call body. The compiler orders the arguments of a direct call by them."""

    name: str | None
    """The macro's name; None for the body of a `call` block."""
    parameters: tuple[str, ...]
    optional: frozenset[str]
    """The names of the parameters with a default."""
    varargs: bool
    kwargs: bool
    caller: bool
