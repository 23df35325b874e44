"""Reading the fields of a control call's body, with errors that say what is wrong."""

from collections.abc import Iterable
from typing import Any, TypeVar, cast

from awning.diagnostics import did_you_mean
from awning_harness.service.envelope import Failure

T = TypeVar("T")
LARGEST_NUMBER = 2**53


class Body:
    """The object of a body whose fields are all known by name."""

    def __init__(self, fields: dict[str, Any], known: Iterable[str]) -> None:
        names = tuple(known)
        for name in fields:
            if name not in names:
                hint = did_you_mean(name, names) or f"there are {', '.join(names)}"
                raise Failure(400, f'unknown field "{name}": {hint}')
        self._fields = fields

    def __contains__(self, name: str) -> bool:
        return self._fields.get(name) is not None

    def need(self, name: str, kind: type[T]) -> T:
        if name not in self:
            raise Failure(400, f"{name} is required")
        return self.take(name, kind, cast("T", None))

    def take(self, name: str, kind: type[T], default: T) -> T:
        """The field `name`, which is of type `kind`, or `default` where it is absent or null."""
        value = self._fields.get(name)
        if value is None:
            return default
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise Failure(400, f"{name} must be {_WORDS[kind]}")
        if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
            raise Failure(400, f"{name} must be smaller")
        return value

    def number(self, name: str, default: float) -> float:
        """The field `name`, whole or not."""
        value = self._fields.get(name)
        return (
            self.take(name, float, default)
            if isinstance(value, str | float)
            else self.take(name, int, int(default))
        )

    def texts(self, name: str, default: tuple[str, ...]) -> tuple[str, ...]:
        """The field `name`, a list of strings."""
        values = self.take(name, list, None)
        if values is None:
            return default
        if not all(isinstance(value, str) for value in values):
            raise Failure(400, f"{name} must be a list of strings")
        return tuple(values)


_WORDS: dict[type, str] = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    dict: "an object",
    list: "a list",
}
