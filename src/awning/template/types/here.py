"""Where the walk stands: which names mean what, and what is known here of other values."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from jinja2 import nodes

from awning.template.types.shape import Ref, Shape, Truth, Value, Way
from awning.template.unit import Chain, Unit


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
