"""The differences between the reference environment and `jinja2.Environment(autoescape=True)`.

A test renders all test templates with both. If their results differ, the test case names the deviations that explain
it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    """One difference: its id, the rule in awning (`here`), and the reason."""

    id: str
    here: str
    why: str


DEVIATIONS: tuple[Deviation, ...] = (
    Deviation(
        id="numbers",
        here=(
            "All numbers are doubles. A whole number below 1e16 is an integer and prints without .0; any other number "
            "prints as Python's repr of the double. So 1.0 is always 1, 4 / 2 is 2 and can be an index, and 10 ** 16 "
            "prints as 1e+16."
        ),
        why="JavaScript has no other kind of number.",
    ),
    Deviation(
        id="none",
        here="None prints as the empty string. In ~, join and format it prints as None, as in Python.",
        why="A missing value of the service's payloads is null.",
    ),
    Deviation(
        id="no-text",
        here=(
            "Only texts, numbers, True, False, None and undefined values have a text. A list, a mapping, a loop, a "
            "macro and the like are an error, also in ~, join, format and the filters of texts. `join` prints the "
            "items, `tojson` the whole."
        ),
        why="Shoppers must not see Python's notation.",
    ),
    Deviation(
        id="no-order",
        here=(
            "Only numbers and texts have an order. <, <=, > and >=, their tests and the filters sort, min, max, "
            "dictsort and groupby are an error for lists and tuples."
        ),
        why="Each comparison in a snippet would be longer.",
    ),
    Deviation(
        id="key-order",
        here="Keys of a mapping that are array indices (0, 1, 42, as strings or numbers) come first, ascending.",
        why="Objects in JavaScript have this order.",
    ),
    Deviation(
        id="undefined",
        here=(
            "Undefined values can be chained: missing.name is undefined too (jinja2.ChainableUndefined). So is an "
            "inline `if` without `else`: `(item if on).name` prints nothing when `on` is false."
        ),
        why="Payloads may lack fields.",
    ),
    Deviation(
        id="negative-zero",
        here=(
            "Zero has no sign: `-0.0` prints as 0, and a number that `format` or `%` rounds to zero as "
            '`"%.2f"|format(-0.001)`, which is 0.00.'
        ),
        why="No shop shows -0.00.",
    ),
    Deviation(
        id="first-newline",
        here="A newline is printed before a value at the very beginning of a textarea or pre (or listing).",
        why="Browsers drop a newline there.",
    ),
)


STRICTER: Mapping[str, str] = MappingProxyType(
    {
        "is a method": "A method that is not called: Python prints its address.",
        "sameas compares identity": "`is sameas` between two texts, two numbers or two undefined values.",
        "a number is needed": "`is odd`, `is even`, `is divisibleby` of a text: Python formats it with `%`.",
        "this cannot be a key": "A namespace, a loop or a macro as a key.",
        "takes only strings": (
            "A key that is not a plain text, added to a namespace or to a mapping with only plain texts as keys. For a "
            "namespace also a key that begins with `$`."
        ),
        "would be too long": "A text of more than ten million characters made by `*`.",
        "is too long": "A range of more than a million numbers.",
    }
)
"""The cases that are errors at run time although Jinja2 renders something. A key is a part of the error's message."""
