"""How the reference environment writes and orders values: where Python differs from a template.

Python gives a list a text and an order; a template does not (`awning.template.deviations`). Such a value is all but a
text, number, boolean or None. The environment passes it through `opaque` wherever Jinja2 converts it to text or asks
for its order. Jinja2's own code then reads its items and attributes as before.

Python writes a rounded -0.001 as -0.00. A template writes 0.00, as the filters with Intl do: `percent` and
`brace_format` format numbers without the sign of a zero. The runtime's formatting does the same by itself.
"""

import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any

from jinja2.filters import do_format
from jinja2.runtime import Undefined
from jinja2.sandbox import SandboxedEnvironment, SandboxedEscapeFormatter, SandboxedFormatter
from markupsafe import EscapeFormatter, Markup, soft_str

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


_DIRECTIVE = re.compile(r"%(?:\(([^)]*)\))?([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?[hlL]?(.)?", re.DOTALL)
_SPEC = re.compile(r"((?:.?[<>=^])?[-+ ]?)z?(.*[fF%])", re.DOTALL)
"""A format specification of a number with a fixed number of decimals: the part before `z`, and the rest."""


def percent(text: str, values: Any) -> Any:
    """Return `text % values`, without the sign of zeros."""
    text, values = _with_zeros(text, values)
    return text % values


def percent_filter(value: str, *args: Any, **kwargs: Any) -> Any:
    """Format as Jinja2's filter `format`, without the sign of zeros."""
    if args and kwargs:
        return do_format(value, *args, **kwargs)  # raises Jinja2's error
    return percent(soft_str(value), kwargs or args)


def brace_format(text: str, sandbox: SandboxedEnvironment | None) -> Callable[..., str]:
    """Return `text.format` without the sign of zeros. With `sandbox`, attributes of values are read as it allows."""
    formatter: _Signless
    if isinstance(text, Markup):
        formatter = _SandboxedHtml(sandbox, escape=text.escape) if sandbox else _Html(text.escape)
    else:
        formatter = _Sandboxed(sandbox) if sandbox else _Plain()

    def formatted(*args: Any, **kwargs: Any) -> str:
        return type(text)(formatter.vformat(text, args, kwargs))

    return formatted


class _Signless(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        return str(super().format_field(value, _signless(value, format_spec)))


class _Plain(_Signless): ...


class _Html(_Signless, EscapeFormatter): ...


class _Sandboxed(_Signless, SandboxedFormatter): ...


class _SandboxedHtml(_Signless, SandboxedEscapeFormatter): ...


def _signless(value: Any, spec: str) -> str:
    """Return a format specification with `z`, which removes the sign of a zero. Only floats may have it."""
    match = _SPEC.fullmatch(spec) if isinstance(value, float) else None
    return f"{match[1]}z{match[2]}" if match else spec


def _with_zeros(text: str, values: Any) -> tuple[str, Any]:
    """Return a text and values for `%`, with the final text in place of each directive whose value is such a zero."""
    waiting = list(values) if isinstance(values, tuple) else [values]
    parts: list[str] = []
    others: list[Any] = []
    end = 0
    for match in _DIRECTIVE.finditer(text):
        name, letter = match[1], match[5]
        if letter in {None, "%"}:
            continue
        needed = [match[3], match[4]].count("*") + (name is None)
        used, waiting = waiting[:needed], waiting[needed:]
        if len(used) < needed or (name is not None and not (isinstance(values, Mapping) and name in values)):
            return text, values
        zero = _zero(match, used if name is None else [*used, values[name]]) if letter in "fF" else None
        if zero is None:
            others += used
        else:
            parts += [text[end : match.start()], zero]
            end = match.end()
    if not end:
        return text, values
    rest = values if isinstance(values, Mapping) else (*others, *waiting)
    return type(text)("".join((*parts, text[end:]))), rest


def _zero(directive: re.Match[str], used: Sequence[Any]) -> str | None:
    """Return how a directive writes a negative number that it rounds to zero; None for any other value."""
    *stars, value = used
    if not isinstance(value, float) or not value < 0 or not all(isinstance(star, int) for star in stars):
        return None
    width = stars.pop(0) if directive[3] == "*" else directive[3] or ""
    digits = stars.pop(0) if directive[4] == "*" else directive[4]
    point = "." in directive[0].rpartition(")")[2]
    places = int(digits or 0) if point else 6
    if places < 0 or float(f"{value:.{places}f}"):
        return None
    return f"%{directive[2]}{width}.{places}f" % 0.0
