"""The types of a template's variables, inferred from how it uses them.

    inference     walks one template, with all that it includes, imports and extends, each branch once
    expressions   the part of the walk for expressions and filters
    environment   the names and facts that are known at a node of the walk
    shape         the uses of one value
    declaration   the result as TypeScript: the declaration for editors, and the code that the check of types adds

The result, frozen values that can be stored as JSON, is here; `awning check` compares calls of the template with them.

A variable is required if any read has no default; `is defined` and `|default` make a read optional. Nothing here
changes the module of a production build. A dev build checks declared variables, and uses their guards for that. A type
that is not known is `VALUE`, which accepts all but promises and functions, or `ANY`.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from awning.diagnostics import Place

__all__ = ["Type", "Variable", "VariableUse"]


class VariableUse(StrEnum):
    """How a template uses a value. The type of the value follows from it.

    Each has its name and its `type` in TypeScript: one of its own, or of `jsrc/types/view.ts`. `is_formatted` is of
    the kinds of value that only filters of our own take. If several apply, the first decides: a value that is formatted
    as a number and as a date is a number.
    """

    type: str
    is_formatted: bool

    def __new__(cls, name: str, type_: str = "", is_formatted: bool = False) -> Self:
        self = str.__new__(cls, name)
        self._value_, self.type, self.is_formatted = name, type_, is_formatted
        return self

    ANY = "any", "unknown"
    """The value is not read, or may also be called, so it may be of any type."""
    VALUE = "value", "Value"
    """The value is compared, tested, used in a calculation, or passed to something that accepts many types.

    It is neither a promise nor a function.
    """
    PRINTED = "printed", "Printable"
    AMOUNT = "amount", "Amount", True
    """The value is formatted as a number or as money."""
    MOMENT = "moment", "Moment", True
    """The value is formatted as a date."""
    CURRENCY = "currency", "Display", True
    LANGUAGE = "language", "string", True
    TRANSLATES = "translates", "Translate"
    """The value is `t`, the function that returns messages."""
    CALLED = "called", "((...given: never[]) => unknown)"
    FIELDS = "fields"
    """Attributes of the value are read."""
    STRING = "string", "string"
    """The value is declared as a string. NUMBER and BOOLEAN are declared types as well."""
    NUMBER = "number", "number"
    BOOLEAN = "boolean", "boolean"
    LIST = "list"
    """The value is iterated, or items of it are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Type:
    """The type of a value. `tested` means that its truth is tested, so it may also be false, null or empty.

    `printed` means that the template also prints it. `open` means that other attributes may be read as well, because it
    is printed whole, its keys are counted, or it is passed to something that the walk cannot follow.
    """

    use: VariableUse = VariableUse.ANY
    tested: bool = False
    printed: bool = False
    open: bool = False
    fields: "tuple[Variable, ...]" = ()
    element: "Type | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A variable of a template, or an attribute: its type, the place of a read, and whether it is required.

    `only_if` is its guard: the name of another variable, and whether that one is true (or else false) wherever this
    variable is read without a default.
    """

    name: str
    type: Type
    place: Place
    required: bool
    only_if: tuple[str, bool] | None = None
