"""Where the reference environment is not `jinja2.Environment(autoescape=True)`, one entry each.

A test runs the whole corpus through both: every case that differs names entries of this list.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Deviation:
    """One difference: its id, what holds here, why."""

    id: str
    here: str
    why: str


DEVIATIONS: tuple[Deviation, ...] = (
    Deviation(
        id="numbers",
        here=(
            "There is one kind of number, the double: a whole one below 1e16 is an integer and prints without .0, any "
            "other prints as Python's repr of the double. So 1.0 is 1 wherever it comes from, 4 / 2 is 2 and an index, "
            "10 ** 16 prints 1e+16, and integers from 2 ** 53 on are rounded as doubles are."
        ),
        why="JavaScript has no other kind of number, and JSON does not tell 1.0 from 1.",
    ),
    Deviation(
        id="none",
        here="A printed None is the empty string; in ~, join, format and inside a list it is None, as in Python.",
        why="A missing value of the service's payloads is null: it must not show up on a page.",
    ),
    Deviation(
        id="key-order",
        here="Keys of a mapping that are array indices (0, 1, 42, as strings or numbers) iterate first, ascending.",
        why="JavaScript's objects do.",
    ),
    Deviation(
        id="undefined",
        here="Undefined values can be chained: missing.name is undefined too (jinja2.ChainableUndefined).",
        why="Payloads leave fields out; a widget must not fail for it.",
    ),
)
