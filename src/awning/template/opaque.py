"""Values that have neither a text nor an order: lists, mappings and all else but texts, numbers, booleans and None.

Python gives a list a text and an order; a template does not (`awning.template.deviations`). The reference environment
passes a value through `opaque` wherever Jinja2 converts it to text or asks for its order. Jinja2's own code then reads
its items and attributes as before.
"""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from jinja2.runtime import Undefined

NO_TEXT = "a list or mapping cannot be printed: use join or tojson"
"""The message of `printed` in jsrc/runtime/template/text.ts, too."""

NO_ORDER = "only numbers and texts have an order"
"""The message of `order` in jsrc/runtime/template/compare.ts, too."""


def _no_text(*_: object) -> Any:
    raise TypeError(NO_TEXT)


def _no_order(*_: object) -> Any:
    raise TypeError(NO_ORDER)


class Opaque:
    """A value without a text and an order. Its items and attributes are read as usual, and are opaque, too."""

    def __init__(self, value: Any) -> None:
        self._value = value

    __str__ = __repr__ = __format__ = _no_text
    __lt__ = __le__ = __gt__ = __ge__ = _no_order

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """The class for `isinstance`, by which Jinja2's filters distinguish mappings from lists."""
        return type(self._value)

    def __eq__(self, other: object) -> bool:
        return bool(self._value == reveal(other))

    def __hash__(self) -> int:
        return hash(self._value)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __len__(self) -> int:
        return len(self._value)

    def __iter__(self) -> Iterator[Any]:
        return map(opaque, self._value)

    def __getitem__(self, key: Any) -> Any:
        return opaque(self._value[key])

    def __getattr__(self, name: str) -> Any:
        return opaque(getattr(self._value, name))

    def items(self) -> Iterator[tuple[Any, Any]]:
        return ((opaque(key), opaque(value)) for key, value in self._value.items())


def opaque(value: Any) -> Any:
    """Return a text, a number, a boolean, None and an undefined value unchanged, any other value as `Opaque`."""
    return value if value is None or isinstance(value, (str, int, float, Undefined)) else Opaque(value)


def reveal(value: Any) -> Any:
    """Return the value of an `Opaque`, also inside of lists and tuples. Any other value is returned unchanged."""
    if type(value) is Opaque:
        return value._value  # noqa: SLF001 - the two belong together
    if isinstance(value, list):
        return [reveal(item) for item in value]
    if isinstance(value, tuple):
        items = [reveal(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value


def of_opaque(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap a filter or test, so that its arguments are opaque. The wrapper has the attributes that jinja2 set."""
    own = (
        1 if hasattr(function, "jinja_pass_arg") else 0
    )  # jinja2 passes the environment or the context first

    @wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        keywords = {name: opaque(value) for name, value in kwargs.items()}
        return reveal(function(*args[:own], *map(opaque, args[own:]), **keywords))

    return wrapper
