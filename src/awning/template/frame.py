"""What the expression and statement phases are handed: one compilation's compilation, and the frame they are in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from jinja2 import nodes

from awning.contract import Dialect
from awning.diagnostics import Diagnostic, Place, Severity
from awning.template.compiled_template import MessageUse
from awning.template.emit import Statement, js_string
from awning.template.html import HtmlContext
from awning.template.js_value import Js
from awning.template.json_only import SHORTER
from awning.template.missing_branch import MissingBranches
from awning.template.names import variable
from awning.template.promises import Promises
from awning.template.refusals import At, Refused
from awning.template.regions import Region, Regions
from awning.template.scope import Scope, Start
from awning.template.unit import Chain, Unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a compilation was asked for."""

    dialect: Dialect
    dev: bool
    containers: bool
    """Whether lists and mappings may be printed and ordered as in Python; else that is an error at run time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lowering:
    """How nodes become JavaScript. Each family of nodes finds the others here, so that none imports another."""

    expression: "Expression"
    statement: "StatementCompiler"
    block: "Callable[[str, int, nodes.Node, Frame], str]"
    """Code of a block's text as a value: its name, how far up the parents its version is, the call."""


@dataclass(slots=True, kw_only=True)
class RootFunction:
    """A template's root, and the names it reads from its context: None while it is compiled."""

    function: str
    variables: frozenset[str] | None = None


@dataclass(slots=True, kw_only=True)
class Compilation:
    """What one compilation gathers. Made by `compile_template`, dropped with its end."""

    options: Options
    lowering: Lowering
    regions: Regions
    helpers: set[str] = field(default_factory=set)
    functions: dict[str, list[Statement]] = field(default_factory=dict)
    """Module-level functions by name, in the order in which they were asked for."""
    variables: set[str] = field(default_factory=set)
    """The names that the templates read from their context."""
    messages: list[MessageUse] = field(default_factory=list)
    warnings: list[Diagnostic] = field(default_factory=list)
    roots: dict[tuple[str, HtmlContext | None], RootFunction] = field(default_factory=dict)
    blocks: dict[tuple[int, str, int, HtmlContext], str] = field(default_factory=dict)
    held: dict[int, Js] = field(default_factory=dict)
    """Expressions that were evaluated beforehand, by their node's id, and the variable that holds them."""
    temporaries: int = 0
    plain: bool = False
    """Whether the templates meet nothing but JSON (`awning.template.json_only`)."""
    recurring: frozenset[int | str] = frozenset()
    """What may come to run inside itself (`awning.template.recursion`)."""
    missing_branches: MissingBranches = field(default_factory=MissingBranches)
    promises: Promises = field(default_factory=Promises)

    def bounded(self, place: int | str, what: str) -> tuple[str, str]:
        """What stands around a function that may come to run inside itself; nothing around others."""
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
    """The loop that `loop` means. `simple` loops have no object: the names of their counter and list are here."""

    index: str
    items: str
    value: str
    simple: bool
    recursive: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """Where a node stands: its template, its variables, the buffer it writes to, its HTML region."""

    compilation: Compilation
    unit: Unit
    chain: Chain
    scope: Scope
    region: Region
    buffer: str = "$out"
    toplevel: bool = False
    """Whether names written here are the template's exports."""
    shared: bool = False
    """Whether names written at the top level are put into `context` for blocks to see."""
    loop: LoopFrame | None = None
    macros: Mapping[str, "MacroShape"] = field(default_factory=dict)
    """JavaScript variables that only ever hold one macro."""
    modules: frozenset[str] = frozenset()
    """JavaScript variables that only ever hold an imported template."""
    buffered: bool = False
    """Whether what is written here becomes a value first: in macros, calls, block sets, filters, recursive loops."""
    block: "tuple[str, int] | None" = None
    """The block being compiled and how far up the chain of parents its body comes from."""

    def use(self, helper: str) -> str:
        """Import a helper of the run-time library, or what stands in for it."""
        if self.compilation.plain:
            helper = SHORTER.get(helper, helper)
        self.compilation.helpers.add(helper)
        return helper

    def refuse(self, rule: str, message: str, node: nodes.Node | int, hint: str | None = None) -> Refused:
        while isinstance(node, nodes.Call):  # Jinja2 places a call at its parenthesis
            node = node.node
        at = node.lineno if isinstance(node, nodes.Node) else node
        return Refused(rule, message, at=at or 0, hint=hint).inside(self.unit.source)

    def warn(self, rule: str, message: str, node: nodes.Node, hint: str | None = None) -> None:
        refused = self.refuse(rule, message, node, hint)
        shown = refused.diagnostic()
        self.compilation.warnings.append(
            Diagnostic(
                rule=rule,
                message=message,
                place=shown.place,
                hint=hint,
                severity=Severity.WARNING,
                excerpt=shown.excerpt,
            )
        )

    def place(self, node: nodes.Node) -> Place:
        at = node.lineno
        return Place(path=self.unit.source.path, line=int(at), column=at.column if isinstance(at, At) else 0)

    def inner(self, scope: Scope, **changes: object) -> "Frame":
        return replace(self, scope=scope, toplevel=False, **changes)  # type: ignore[arg-type]

    def reserves(self, name: str) -> bool:
        """Whether a root or a block gives a name, and nothing in it sets it."""
        owner = self.scope.owner(name)
        return owner is not None and owner.parent is None and not owner.writers.get(name)

    def start_of(self, name: str) -> str | None:
        """What a variable of this frame is when the frame is entered; None for undefined."""
        start = self.scope.starts[name]
        if start is Start.UNDEFINED or start is Start.PARAMETER:
            return None
        if start is Start.CONTEXT:
            return self.from_context(name)
        assert self.scope.parent is not None
        outer = replace(self, scope=self.scope.parent)
        return outer.variable_of(name) or outer.from_context(name)

    def variable_of(self, name: str) -> str | None:
        """The JavaScript variable that holds a name here; None when it is the context's."""
        owner = self.scope.owner(name)
        if owner is None or (owner.starts[name] is Start.CONTEXT and name not in owner.stores):
            return None
        return variable(name, owner.level)

    def from_context(self, name: str) -> str:
        """Code that reads a variable of the context."""
        self.compilation.variables.add(name)
        return context_name(name)


def context_name(name: str) -> str:
    """A variable of the context. A context has no prototype (`scope_object`): reading it asks nobody else."""
    return f"context.{name}" if name.isascii() else f"context[{js_string(name)}]"


def scope_object(*parts: str) -> str:
    """Code of a context: an object without a prototype, so that no name reaches what the page added to one."""
    return f"{{{', '.join(['__proto__: null', *parts])}}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MacroShape:
    """A macro's parameters, as a call that knows it needs them."""

    name: str | None
    """None for the body of a call."""
    parameters: tuple[str, ...]
    optional: frozenset[str]
    """Those with a default."""
    varargs: bool
    kwargs: bool
    caller: bool


Expression = Callable[[nodes.Node, Frame], Js]
"""One member of the expression family."""

StatementCompiler = Callable[[nodes.Node, Frame], "list[Statement]"]

__all__ = [
    "Compilation",
    "Expression",
    "Frame",
    "Js",
    "LoopFrame",
    "MacroShape",
    "Options",
    "StatementCompiler",
    "context_name",
    "scope_object",
]
