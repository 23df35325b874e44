"""The result of lowering an expression: JavaScript code, and the known kind of its value. Names of variables in it."""

from dataclasses import dataclass
from enum import Enum, auto


class ValueKind(Enum):
    """The kind of a value, as far as it is certain at compile time. It decides which code is emitted."""

    ANY = auto()
    TEXT = auto()
    """A JavaScript string that is not Markup."""
    HTML = auto()
    """The value is Markup, but the code is an expression for a JavaScript string, the HTML of the Markup."""
    NUMBER = auto()
    BOOL = auto()
    LIST = auto()
    """An array: list or tuple."""
    GENERATOR = auto()
    """The result of `map`, `select` and similar filters. It can be iterated once. Printing it is refused."""
    COUNT = auto()
    """A small whole number, such as a loop's index. JavaScript prints it as Python does."""
    UNDEFINED = auto()
    FLOAT = auto()
    """A number that is a float in Python, even if it is whole, such as `4 / 2`. A template prints that as `2`."""


@dataclass(frozen=True, slots=True)
class Js:
    """A lowered expression. `code` has parentheses where they are needed for an operand or an argument."""

    code: str
    kind: ValueKind = ValueKind.ANY
    promise: ValueKind | None = None
    """The declared kind: TEXT, NUMBER or BOOL; None if there is no declaration.

    If it equals `kind`, the code already checks the value at run time.
    """

    @property
    def is_number(self) -> bool:
        return self.kind in {ValueKind.NUMBER, ValueKind.COUNT, ValueKind.FLOAT}

    @property
    def known(self) -> ValueKind:
        """The declared kind; without a declaration, `kind`."""
        return self.promise or self.kind

    @property
    def is_declared_number(self) -> bool:
        """Whether the value is a number, if the declarations hold."""
        return self.is_number or self.promise is ValueKind.NUMBER


def variable(name: str, level: int) -> str:
    """Return the JavaScript name of a template's variable.

    It ends with `_` and the level of its scope, so it is neither a reserved word nor the name of a helper or of a
    temporary variable: none of these ends with an underscore and digits.
    """
    plain = name if name.isascii() else "".join(c if c.isascii() else f"${ord(c):x}$" for c in name)
    return f"{plain}_{level}"
