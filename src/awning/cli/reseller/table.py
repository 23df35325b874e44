"""Rows as an aligned table, as CSV, as a list of names and values."""

import csv
import io
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from awning.cli.reseller.columns import plain, shown
from awning.client.reseller import Money
from awning.client.secret import printable

LONGEST = 60
SHORTEST = 8
_GAP = "  "
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def table(names: Sequence[str], rows: Iterable[Mapping[str, Any]], *, room: int | None = None) -> str:
    """Columns as wide as they must be; numbers to the right. Foreign texts lose their control characters.

    `room` is how many cells of the terminal there are: the widest texts give way, down to SHORTEST each.
    """
    values = [[row[name] for name in names] for row in rows]
    columns = list(zip(*values, strict=True)) if values else [()] * len(names)
    numbers = [bool(column) and all(type(one) in {int, float} for one in column) for column in columns]
    lines = [list(names), *([printable(shown(one), limit=LONGEST) for one in row] for row in values)]
    widths = [max(map(_cells, texts)) for texts in zip(*lines, strict=True)]
    if room is not None:
        may_give = [any(type(one) is str for one in column) for column in columns]
        _narrow(widths, may_give, room - len(_GAP) * (len(names) - 1))
    return "\n".join(_GAP.join(map(_padded, line, widths, numbers)).rstrip() for line in lines)


def terminal_room() -> int | None:
    """The terminal's width; None where the text goes to a file or a program."""
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        return shutil.get_terminal_size().columns
    return None


def pairs(values: Mapping[str, Any]) -> str:
    """One name and value per line."""
    width = max(map(len, values), default=0)
    lines = (f"{name:<{width}}  {printable(shown(value))}" for name, value in values.items())
    return "\n".join(line.rstrip() for line in lines)


def as_csv(names: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """A text that a spreadsheet would take for a formula gets an apostrophe before it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow([_cell(_in_csv(row[name])) for name in names])
    return out.getvalue()


def _in_csv(value: Any) -> Any:
    return str(value) if isinstance(value, Money) else plain(value)


def _narrow(widths: list[int], may_give: Sequence[bool], room: int) -> None:
    """Take from the widest column that may give, one cell at a time, until all fit."""
    while sum(widths) > room:
        widest = max((w, n) for n, w in enumerate(widths) if may_give[n]) if any(may_give) else (0, 0)
        if widest[0] <= SHORTEST:
            return
        widths[widest[1]] -= 1


def _padded(text: str, width: int, to_right: bool) -> str:
    if _cells(text) > width:
        text = _cut(text, width)
    space = " " * (width - _cells(text))
    return space + text if to_right else text + space


def _cut(text: str, width: int) -> str:
    while _cells(text) > width - 1:
        text = text[:-1]
    return f"{text}\N{HORIZONTAL ELLIPSIS}"


def _cells(text: str) -> int:
    """How many cells of a terminal a text takes: two for each wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    marks = sum(unicodedata.combining(c) != 0 for c in text)
    return len(text) - marks + sum(unicodedata.east_asian_width(c) in {"W", "F"} for c in text)


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
