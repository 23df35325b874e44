"""The frame of the inference: the visible names, and the facts that the enclosing conditions guarantee."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from jinja2 import nodes

from awning.template.template_set import Chain, ParsedTemplate
from awning.template.types.shape import Read, Ref, Shape, Truth, Value

Facts = tuple[tuple[Truth, ...], frozenset[Shape]]
"""Facts about values: which are true or false, and which are defined."""

NONE: Facts = ((), frozenset())

ValueOf = Callable[[nodes.Node], Value]


def facts(node: nodes.Node, truth: bool, value_of: ValueOf) -> Facts:
    """Return the facts that hold where the condition `node` has the truth `truth`."""
    match node:
        case nodes.Not():
            return facts(node.node, not truth, value_of)
        case nodes.And() | nodes.Or() if isinstance(node, nodes.And) == truth:
            return facts_of_both(node, truth, value_of)
        case nodes.Test(name="defined" | "undefined") if (node.name == "defined") == truth:
            return (), known_defined(node.node, value_of)
        case nodes.Name() | nodes.Getattr():
            value = value_of(node)
            return (((value[0].shape, truth),) if len(value) == 1 else ()), frozenset()
    return NONE


def facts_of_both(node: nodes.BinExpr, truth: bool, value_of: ValueOf) -> Facts:
    left, left_known = facts(node.left, truth, value_of)
    right, right_known = facts(node.right, truth, value_of)
    return (*left, *right), left_known | right_known


def known_defined(node: nodes.Node, value_of: ValueOf) -> frozenset[Shape]:
    """Return the shape of a node's value, to mark it as defined; empty if the node may have one of several values."""
    value = value_of(node)
    return frozenset(ref.shape for ref in value) if len(value) == 1 else frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class MacroValue:
    """A macro, and the frame of its definition."""

    node: nodes.Macro
    frame: "InferenceFrame"


@dataclass(frozen=True, slots=True, eq=False)
class ModuleValue:
    """An imported template: its names."""

    names: "Names"


@dataclass(frozen=True, slots=True, eq=False)
class LoopValue:
    """The variable `loop` inside a `for` loop. `items` is the value of `loop.previtem` and `loop.nextitem`."""

    items: Value


Named = Value | MacroValue | ModuleValue | LoopValue

MOST_KNOWN = 64
"""The approximate limit of facts of each kind in a frame. The facts of further conditions are ignored."""


class Names:
    """The values of the names that are set in one frame, or in one arm of an `if`.

    Other names are looked up in the frame around it (`outer`).
    """

    __slots__ = ("hidden", "outer", "own")

    def __init__(self, outer: "Names | None" = None, hidden: Collection[str] = ()) -> None:
        self.own: dict[str, Named] = {}
        self.outer = outer
        self.hidden = hidden
        """Names of the outer frames that are not visible here."""

    def get(self, name: str) -> Named | None:
        names: Names | None = self
        while names is not None:
            if name in names.own:
                return names.own[name]
            names = None if name in names.hidden else names.outer
        return None

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def __getitem__(self, name: str) -> Named:
        value = self.get(name)
        if value is None:
            raise KeyError(name)
        return value

    def __setitem__(self, name: str, value: Named) -> None:
        self.own[name] = value


@dataclass(frozen=True, slots=True, kw_only=True)
class InferenceFrame:
    template: ParsedTemplate
    chain: Chain
    names: Names = field(default_factory=Names)
    """The names that are set, passed or imported. Any other name is the context's."""
    context: Shape | None
    """The shape of the whole context; None in a template that is included or imported without context."""
    truths: tuple[Truth, ...] = ()
    defined: frozenset[Shape] = frozenset()
    block: tuple[str, int] | None = None
    quiet: bool = False
    """Whether the walk is after `extends`, where statements run but write nothing."""

    def inner(self, names: Mapping[str, Named] | None = None) -> "InferenceFrame":
        """Return a new frame inside this one. Names that are set in it are not visible outside."""
        inner = Names(self.names)
        inner.own.update(names or {})
        return replace(self, names=inner)

    def knowing(self, truths: tuple[Truth, ...], defined: frozenset[Shape]) -> "InferenceFrame":
        """Return the same frame with more facts. Names that are set in it stay visible outside."""
        if not truths and not defined:
            return self
        both = self.defined | defined if len(self.defined) < MOST_KNOWN else self.defined
        return replace(self, truths=(*self.truths, *truths)[:MOST_KNOWN], defined=both)

    def read(self, value: Value, read_kind: Read) -> None:
        for ref in value:
            self.read_one(ref, read_kind)

    def open(self, value: Value) -> None:
        """Mark a value as passed to something that the walk cannot follow."""
        for ref in value:
            ref.shape.open()

    def read_one(self, ref: Ref, read_kind: Read) -> None:
        ref.shape.read(read_kind, ref.at, self.truths, guarded=ref.soft or ref.shape in self.defined)
