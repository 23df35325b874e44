"""Where the walk stands: which names mean what, and what is known here of other values."""

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
Names = dict[str, Named]


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    unit: Unit
    chain: Chain
    names: Names = field(default_factory=dict)
    """What was set, given or imported; every other name is the context's."""
    context: Shape | None
    """None in a template that is imported without context."""
    truths: tuple[Truth, ...] = ()
    defined: frozenset[Shape] = frozenset()
    block: tuple[str, int] | None = None
    quiet: bool = False
    """Behind `extends`: statements run, nothing is written."""

    def inner(self, names: "Names | None" = None) -> "Here":
        """A frame of its own: what is set in it is not seen outside."""
        return replace(self, names={**self.names, **(names or {})})

    def knowing(self, truths: tuple[Truth, ...], defined: frozenset[Shape]) -> "Here":
        """The same names (what is set is seen outside), with more known."""
        if not truths and not defined:
            return self
        return replace(self, truths=(*self.truths, *truths), defined=self.defined | defined)

    def read(self, value: Value, way: Way) -> None:
        for ref in value:
            self.read_one(ref, way)

    def open(self, value: Value) -> None:
        """It goes where the walk cannot follow."""
        for ref in value:
            ref.shape.open()

    def read_one(self, ref: Ref, way: Way) -> None:
        ref.shape.read(way, ref.at, self.truths, guarded=ref.soft or ref.shape in self.defined)
