"""Where the inference stands: the names in force, and what conditions around it guarantee."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace

from jinja2 import nodes

from awning.template.types.shape import Ref, Shape, Truth, Value, Way
from awning.template.unit import Chain, Unit

Facts = tuple[tuple[Truth, ...], frozenset[Shape]]
"""Values that are true or false, and values that are defined."""

NONE: Facts = ((), frozenset())

ValueOf = Callable[[nodes.Node], Value]


def facts(node: nodes.Node, truth: bool, value_of: ValueOf) -> Facts:
    """What is known where the condition `node` is `truth`."""
    match node:
        case nodes.Not():
            return facts(node.node, not truth, value_of)
        case nodes.And() | nodes.Or() if isinstance(node, nodes.And) == truth:
            return both(node, truth, value_of)
        case nodes.Test(name="defined" | "undefined") if (node.name == "defined") == truth:
            return (), known(node.node, value_of)
        case nodes.Name() | nodes.Getattr():
            value = value_of(node)
            return (((value[0].shape, truth),) if len(value) == 1 else ()), frozenset()
    return NONE


def both(node: nodes.BinExpr, truth: bool, value_of: ValueOf) -> Facts:
    left, left_known = facts(node.left, truth, value_of)
    right, right_known = facts(node.right, truth, value_of)
    return (*left, *right), left_known | right_known


def known(node: nodes.Node, value_of: ValueOf) -> frozenset[Shape]:
    """Of one of several values nothing is known."""
    value = value_of(node)
    return frozenset(ref.shape for ref in value) if len(value) == 1 else frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class MacroValue:
    """A macro, and the names it sees."""

    node: nodes.Macro
    here: "Here"


@dataclass(frozen=True, slots=True, eq=False)
class ModuleValue:
    """An imported template: its names."""

    names: "Names"


@dataclass(frozen=True, slots=True, eq=False)
class LoopValue:
    """A loop's `loop`: its items are those before and after this one."""

    items: Value


Named = Value | MacroValue | ModuleValue | LoopValue

MOST_KNOWN = 64
"""How many facts of the conditions around are kept: beyond, what is read counts as read in any case."""


class Names:
    """What names mean: those that were set in one frame or arm, and around it those of another."""

    __slots__ = ("hidden", "outer", "own")

    def __init__(self, outer: "Names | None" = None, hidden: Collection[str] = ()) -> None:
        self.own: dict[str, Named] = {}
        self.outer = outer
        self.hidden = hidden
        """Names that are not seen of those around."""

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
        found = self.get(name)
        if found is None:
            raise KeyError(name)
        return found

    def __setitem__(self, name: str, value: Named) -> None:
        self.own[name] = value


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    unit: Unit
    chain: Chain
    names: Names = field(default_factory=Names)
    """What was set, given or imported; every other name is the context's."""
    context: Shape | None
    """None in a template that is imported without context."""
    truths: tuple[Truth, ...] = ()
    defined: frozenset[Shape] = frozenset()
    block: tuple[str, int] | None = None
    quiet: bool = False
    """Behind `extends`: statements run, nothing is written."""

    def inner(self, names: Mapping[str, Named] | None = None) -> "Here":
        """A frame of its own: what is set in it is not seen outside."""
        inner = Names(self.names)
        inner.own.update(names or {})
        return replace(self, names=inner)

    def knowing(self, truths: tuple[Truth, ...], defined: frozenset[Shape]) -> "Here":
        """The same names (what is set is seen outside), with more known."""
        if not truths and not defined:
            return self
        both = self.defined | defined if len(self.defined) < MOST_KNOWN else self.defined
        return replace(self, truths=(*self.truths, *truths)[:MOST_KNOWN], defined=both)

    def read(self, value: Value, way: Way) -> None:
        for ref in value:
            self.read_one(ref, way)

    def open(self, value: Value) -> None:
        """It goes where the walk cannot follow."""
        for ref in value:
            ref.shape.open()

    def read_one(self, ref: Ref, way: Way) -> None:
        ref.shape.read(way, ref.at, self.truths, guarded=ref.soft or ref.shape in self.defined)
