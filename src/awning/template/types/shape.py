"""What is gathered of one value of the context while a template is walked."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import NamedTuple

from awning.diagnostics import Place
from awning.template.refusals import At
from awning.template.types.variable import Type, Variable, VariableUse


class Way(Enum):
    """How a value is read."""

    PRINTED = auto()
    TESTED = auto()
    TRANSLATES = auto()
    CALLED = auto()
    AMOUNT = auto()
    MOMENT = auto()
    CURRENCY = auto()
    LANGUAGE = auto()
    KIND = auto()
    """It is asked whether it is a string, a mapping ...: it may be of several kinds."""
    KEYS = auto()
    """Its keys are counted: all of them matter, whatever is in them."""
    OPEN = auto()
    """It goes where the walk cannot follow: everything in it may be read."""
    OTHER = auto()
    """One step into it, or a question that its attributes do not change."""


FORMATTED = {
    Way.AMOUNT: VariableUse.AMOUNT,
    Way.MOMENT: VariableUse.MOMENT,
    Way.CURRENCY: VariableUse.CURRENCY,
    Way.LANGUAGE: VariableUse.LANGUAGE,
}
"""By the narrowest: what is formatted both as a number and as a date is a number."""

OPENS = frozenset({Way.OPEN, Way.PRINTED, Way.CALLED, Way.TRANSLATES, *FORMATTED})
"""Ways that may read everything in a value: a printed mapping is printed with all it holds."""

DEEPEST = 50
"""How deep in a value its parts are told: what is deeper may be anything."""

Truth = tuple["Shape", bool]
"""A value of which it is known, where something stands, whether it is true."""


@dataclass(slots=True, eq=False)
class Shape:
    """One of the context; or, with `made`, one that an expression makes and that has the context's in it.

    `parts` are those of a pair, `source` is a list whose items are this one's too.
    """

    fields: "dict[str, Shape]" = field(default_factory=dict)
    element: "Shape | None" = None
    ways: set[Way] = field(default_factory=set)
    at: int = 0
    required: bool = False
    truths: tuple[Truth, ...] = ()
    """What is known at every read that has no default: the outermost first."""
    made: bool = False
    parts: "tuple[Shape, ...]" = ()
    source: "Shape | None" = None

    def attribute(self, name: str) -> "Shape":
        return self.fields.setdefault(name, Shape())

    def item(self) -> "Shape":
        if self.source is not None:
            return self.source.item()
        if self.parts:
            self.open()
        if self.element is None:
            self.element = Shape()
        return self.element

    def part(self, index: int) -> "Shape":
        return self.parts[index] if -len(self.parts) <= index < len(self.parts) else self.item()

    def open(self) -> None:
        """What is in one of the context is open with it; what one that was made holds is told by itself."""
        self.ways.add(Way.OPEN)
        if self.made:
            for one in (*self.fields.values(), *self.parts, self.element, self.source):
                if one is not None:
                    one.open()

    def read(self, way: Way, at: int, truths: tuple[Truth, ...], *, guarded: bool) -> None:
        """Note a read. One that is guarded has a default, or is known to be defined."""
        self.ways.add(way)
        if self.made and (way in OPENS or way is Way.KIND):
            self.open()
        if not self.at:
            self.at = at
        if guarded:
            return
        if not self.required:
            self.required, self.truths, self.at = True, truths, at
        else:
            self.truths = tuple(truth for truth in self.truths if truth in truths)

    def type(self, *, within: bool = False, depth: int = 0) -> Type:
        """What the value must be, by what is done with it. `within` one that is open it is open itself."""
        if Way.KIND in self.ways or depth > DEEPEST:
            return Type()
        if Way.TRANSLATES in self.ways:
            return Type(use=VariableUse.TRANSLATES)
        within = within or not OPENS.isdisjoint(self.ways)
        known = Type(tested=Way.TESTED in self.ways, printed=Way.PRINTED in self.ways)
        if self.element is not None:
            return replace(
                known,
                use=VariableUse.LIST,
                open=within,
                element=self.element.type(within=within, depth=depth + 1),
            )
        if self.fields:
            fields = tuple(variables(self.fields, within=within, depth=depth + 1))
            return replace(known, use=VariableUse.FIELDS, open=within or Way.KEYS in self.ways, fields=fields)
        formatted = next((use for way, use in FORMATTED.items() if way in self.ways), None)
        if formatted:
            return replace(known, use=formatted)
        called = self.ways == {Way.CALLED}
        return Type(
            use=VariableUse.PRINTED if known.printed else VariableUse.CALLED if called else VariableUse.ANY
        )


def variables(
    shapes: Mapping[str, Shape], *, guards: bool = False, within: bool = False, depth: int = 0
) -> Iterator[Variable]:
    """Sorted by name. With `guards` it is looked for a variable whose truth keeps another one from being read."""
    names = {shape: name for name, shape in shapes.items()} if guards else {}
    for name, shape in sorted(shapes.items()):
        at = shape.at
        yield Variable(
            name=name,
            type=shape.type(within=within, depth=depth),
            place=Place(
                path=getattr(at, "path", ""), line=int(at), column=at.column if isinstance(at, At) else 0
            ),
            required=shape.required,
            only_if=next(
                ((names[one], truth) for one, truth in shape.truths if one in names and one is not shape),
                None,
            ),
        )


class Ref(NamedTuple):
    """A value of the context, where an expression means it; `soft` when there is a default for it."""

    shape: Shape
    at: int
    soft: bool = False
    attribute: bool = False
    """Whether it was taken of another one: that is where it is read, wherever it goes then."""


Value = tuple[Ref, ...]
"""The values of the context that an expression may give; none where it makes a value of its own."""

UNKNOWN: Value = ()


def made(ref: Ref, *, element: Shape | None = None, source: Shape | None = None) -> Ref:
    """A list that is made here; its items are of the context, or hold some."""
    return Ref(Shape(made=True, element=element, source=source), ref.at, ref.soft)


def group(by: Ref, of: Ref) -> Shape:
    """An item of `groupby`: what is grouped by, and the list of the items that have it."""
    items = Shape(made=True, source=of.shape)
    return Shape(made=True, parts=(by.shape, items), fields={"grouper": by.shape, "list": items})


def attributes(owner: Value, name: str, at: int) -> Value:
    return tuple(Ref(ref.shape.attribute(name), at, attribute=True) for ref in owner)
