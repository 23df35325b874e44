"""Formats numbers without the sign of a zero: `"%.2f"|format(-0.001)` is 0.00, as in the filters of `intl.py`.

Python writes -0.00. The reference uses this module; the runtime's formatting does the same by itself.
"""

import re
import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jinja2.filters import do_format
from jinja2.sandbox import SandboxedEnvironment, SandboxedEscapeFormatter, SandboxedFormatter
from markupsafe import EscapeFormatter, Markup, soft_str

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
