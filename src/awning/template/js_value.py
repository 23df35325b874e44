"""What the expression phase produces: JavaScript text and what is known about its value."""

from dataclasses import dataclass
from enum import Enum, auto


class ValueKind(Enum):
    """What is known of a value at compile time. Only sure knowledge counts: the output must not change by it."""

    ANY = auto()
    TEXT = auto()
    """A JavaScript string that is not Markup."""
    HTML = auto()
    """The *code* is a JavaScript string of HTML that stands for a Markup value."""
    NUMBER = auto()
    BOOL = auto()
    LIST = auto()
    """An array: list or tuple."""
    GENERATOR = auto()
    """What `map`, `select` and their like return: iterated once, never printed."""
    COUNT = auto()
    """A small whole number, such as a loop's index: JavaScript prints it as Python does."""
    UNDEFINED = auto()
    FLOAT = auto()
    """A number that Python would hold as a float, even when it is whole."""


@dataclass(frozen=True, slots=True)
class Js:
    """An expression. `code` is safe to stand as an operand or an argument: anything loose is in parentheses."""

    code: str
    kind: ValueKind = ValueKind.ANY
    promise: ValueKind | None = None
    """What it is if declarations hold: TEXT, NUMBER or BOOL. Where `kind` says the same it was looked at."""

    @property
    def is_number(self) -> bool:
        return self.kind in {ValueKind.NUMBER, ValueKind.COUNT, ValueKind.FLOAT}

    @property
    def known(self) -> ValueKind:
        """What it is, if what is declared holds."""
        return self.promise or self.kind

    @property
    def is_declared_number(self) -> bool:
        """Whether it is a number, if what is declared holds."""
        return self.is_number or self.promise is ValueKind.NUMBER
