"""The outcome, as frozen values that can be kept as JSON."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from awning.diagnostics import Place


class VariableUse(StrEnum):
    """What a template does with a value, as far as that says what the value must be."""

    ANY = "any"
    """It is compared, computed with, or handed to something that takes many kinds of values."""
    PRINTED = "printed"
    AMOUNT = "amount"
    """It is formatted as a number or as money."""
    MOMENT = "moment"
    """It is formatted as a date."""
    CURRENCY = "currency"
    LANGUAGE = "language"
    TRANSLATES = "translates"
    """It is `t`."""
    CALLED = "called"
    FIELDS = "fields"
    """Attributes of it are read."""
    STRING = "string"
    """It is declared as one; so are the next two."""
    NUMBER = "number"
    BOOLEAN = "boolean"
    LIST = "list"
    """It is iterated, or items of it are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Type:
    """What a value must be. `tested`: its truth is asked for, so it may be false, null or empty as well.

    `printed` is said of lists and of values with fields, where the template prints them too. `open`: it goes where the
    walk cannot follow, so attributes that it was not seen to read may be read all the same.
    """

    use: VariableUse = VariableUse.ANY
    tested: bool = False
    printed: bool = False
    open: bool = False
    fields: "tuple[Variable, ...]" = ()
    element: "Type | None" = None

    def as_json(self) -> list[Any]:
        fields = [field.as_json() for field in self.fields]
        element = self.element and self.element.as_json()
        return [str(self.use), self.tested, self.printed, self.open, fields, element]

    @classmethod
    def from_json(cls, value: Sequence[Any]) -> Self:
        use, tested, printed, open_, fields, element = value
        return cls(
            use=VariableUse(use),
            tested=tested,
            printed=printed,
            open=open_,
            fields=tuple(Variable.from_json(field) for field in fields),
            element=cls.from_json(element) if element else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A variable of a template, or an attribute: where it is read, and whether it must be given.

    `only_if` names another variable: this one is read only where that one is true, or only where it is not.
    """

    name: str
    type: Type
    place: Place
    required: bool
    only_if: tuple[str, bool] | None = None

    def as_json(self) -> list[Any]:
        place = [self.place.path, self.place.line, self.place.column]
        return [self.name, self.type.as_json(), place, self.required, self.only_if]

    @classmethod
    def from_json(cls, value: Sequence[Any]) -> Self:
        name, kind, (path, line, column), required, only_if = value
        return cls(
            name=name,
            type=Type.from_json(kind),
            place=Place(path=path, line=line, column=column),
            required=required,
            only_if=(only_if[0], only_if[1]) if only_if else None,
        )
