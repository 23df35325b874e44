"""The state of lowering: the `Compilation`, and the `Frame` of a node."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from jinja2 import nodes

from awning.contract import Dialect
from awning.diagnostics import Diagnostic, Place
from awning.template.compiled_template import MessageUse
from awning.template.emit import Statement, js_string
from awning.template.html import HtmlContext
from awning.template.js_value import Js, variable
from awning.template.promises import Promises
from awning.template.refusals import Position, TemplateRefusal
from awning.template.regions import Region, Regions
from awning.template.scope import Scope, Start
from awning.template.template_set import Chain, ParsedTemplate


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
        return TemplateRefusal(rule, message, at=at or 0, hint=hint).inside(self.template.source)

    def warn(self, rule: str, message: str, node: nodes.Node, hint: str | None = None) -> None:
        self.compilation.warnings.append(self.refuse(rule, message, node, hint).diagnostic())

    def place(self, node: nodes.Node) -> Place:
        at = node.lineno
        return Place(
            path=self.template.source.path, line=int(at), column=at.column if isinstance(at, Position) else 0
        )

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
        return variable(name, owner.level)

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
