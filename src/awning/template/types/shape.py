"""The record of how a template uses one value of the context."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import NamedTuple

from awning.template.refusals import place_at
from awning.template.types import Type, Variable, VariableUse


class ReadKind(Enum):
    """How a value is read, if that alone is not its `VariableUse`."""

    TESTED = auto()
    KIND = auto()
    """The value's type is tested, so it may have several types."""
    FUNCTION = auto()
    """The value may be a function: that is tested, or the value is passed to a function of the context."""
    KEYS = auto()
    """The value's keys are counted or listed, so each key matters."""
    OPEN = auto()
    """The value is passed to something that the walk cannot follow, so everything in it may be read."""
    OTHER = auto()
    """A read that does not depend on all attributes of the value, such as a read of one attribute."""


Read = ReadKind | VariableUse
FORMATTED = tuple(use for use in VariableUse if use.is_formatted)
OPENS = frozenset[Read](
    {ReadKind.OPEN, VariableUse.PRINTED, VariableUse.CALLED, VariableUse.TRANSLATES, *FORMATTED}
)
"""Kinds of reads that read everything in a value. For example, a mapping is printed with all its values."""

DEEPEST = 50
"""How many levels of a value get a type. Deeper parts get the type `ANY`."""

Truth = tuple["Shape", bool]
"""A fact from a surrounding condition: the shape of the tested value, and whether the value is true there."""


@dataclass(slots=True, eq=False)
class Shape:
    """The uses of one value of the context or, with `derived`, of a value that an expression makes from such values.

    `parts` are the shapes of the two parts of a pair, such as an item of `groupby`. `source` is the shape of a list
    that has the same items.
    """

    fields: "dict[str, Shape]" = field(default_factory=dict)
    element: "Shape | None" = None
    read_kinds: set[Read] = field(default_factory=set)
    at: int = 0
    required: bool = False
    truths: tuple[Truth, ...] = ()
    """The facts that hold at all reads without a default, the outermost first."""
    derived: bool = False
    """Whether the template makes the value itself, such as a group of `groupby`."""
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
        """Mark the value as open: everything in it may be read. In a `derived` value, also mark its parts."""
        self.read_kinds.add(ReadKind.OPEN)
        if self.derived:
            for shape in (*self.fields.values(), *self.parts, self.element, self.source):
                if shape is not None:
                    shape.open()

    def read(self, read_kind: Read, at: int, truths: tuple[Truth, ...], *, guarded: bool) -> None:
        """Record a read. It is `guarded` if it has a default, or follows a test that the value is defined."""
        self.read_kinds.add(read_kind)
        if self.derived and (read_kind in OPENS or read_kind is ReadKind.KIND):
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
        """Return the type of the value, from its uses. Inside an open value (`within`) the type is open too."""
        if depth > DEEPEST:
            return Type()
        several = ReadKind.KIND in self.read_kinds
        if not several and VariableUse.TRANSLATES in self.read_kinds:
            return Type(use=VariableUse.TRANSLATES)
        structured = None if several else self._structured(within=within, depth=depth)
        if structured is not None:
            return structured
        if not several and VariableUse.PRINTED in self.read_kinds:
            return Type(use=VariableUse.PRINTED)
        return Type(use=self._use_of_any_value(in_open_context=within and not depth))

    def _structured(self, *, within: bool, depth: int) -> Type | None:
        """Return the type of a list, of an object, or of a value that is formatted; None for any other value."""
        within = within or not OPENS.isdisjoint(self.read_kinds)
        known = Type(
            tested=ReadKind.TESTED in self.read_kinds, printed=VariableUse.PRINTED in self.read_kinds
        )
        if self.element is not None:
            return replace(
                known,
                use=VariableUse.LIST,
                open=within,
                element=self.element.type(within=within, depth=depth + 1),
            )
        if self.fields:
            fields = tuple(variables(self.fields, within=within, depth=depth + 1))
            return replace(
                known, use=VariableUse.FIELDS, open=within or ReadKind.KEYS in self.read_kinds, fields=fields
            )
        formatted = next((use for use in FORMATTED if use in self.read_kinds), None)
        return replace(known, use=formatted) if formatted else None

    def _use_of_any_value(self, *, in_open_context: bool) -> VariableUse:
        """Return the use of a value that may have several types. In an open context, a macro may call it."""
        if self.read_kinds == {VariableUse.CALLED}:
            return VariableUse.CALLED
        may_be_called = in_open_context or not self.read_kinds.isdisjoint(
            {VariableUse.CALLED, ReadKind.FUNCTION}
        )
        return VariableUse.ANY if may_be_called or not self.read_kinds else VariableUse.VALUE


def variables(
    shapes: Mapping[str, Shape], *, guards: bool = False, within: bool = False, depth: int = 0
) -> Iterator[Variable]:
    """Yield the variables, sorted by name.

    With `guards`, each has its guard, if there is one: the variable on whose truth its reads depend.
    """
    names = {shape: name for name, shape in shapes.items()} if guards else {}
    for name, shape in sorted(shapes.items()):
        at = shape.at
        yield Variable(
            name=name,
            type=shape.type(within=within, depth=depth),
            place=place_at(at),
            required=shape.required,
            only_if=next(
                (
                    (names[other], truth)
                    for other, truth in shape.truths
                    if other in names and other is not shape
                ),
                None,
            ),
        )


class Ref(NamedTuple):
    """A reference to a value of the context from an expression.

    It is `soft` if reading it does not make the variable required, as after `|default`.
    """

    shape: Shape
    at: int
    soft: bool = False
    attribute: bool = False
    """Whether the value is an attribute of another value. `at` is then the place of the attribute."""


Value = tuple[Ref, ...]
"""The values of the context that an expression may return. Empty if it makes a new value that is not followed."""

UNKNOWN: Value = ()


def made_list(ref: Ref, *, element: Shape | None = None, source: Shape | None = None) -> Ref:
    """Return a reference to a new list whose items are values of the context, or contain such values."""
    return Ref(Shape(derived=True, element=element, source=source), ref.at, ref.soft)


def group_item(by: Ref, of: Ref) -> Shape:
    """Return an item of `groupby`: the common value, and the list of the items that have it."""
    items = Shape(derived=True, source=of.shape)
    return Shape(derived=True, parts=(by.shape, items), fields={"grouper": by.shape, "list": items})


def attributes(owner: Value, name: str, at: int) -> Value:
    return tuple(Ref(ref.shape.attribute(name), at, attribute=True) for ref in owner)
