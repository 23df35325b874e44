"""Rows as an aligned table, as CSV, as a list of names and values."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from awning.cli.reseller.columns import plain, shown
from awning.service.secret import printable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def table(names: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Columns as wide as they must be; numbers to the right. Foreign texts lose their control characters."""
    values = [[row[name] for name in names] for row in rows]
    cells = [[printable(shown(value), limit=60) for value in row] for row in values]
    widths = [max(len(line[n]) for line in (names, *cells)) for n in range(len(names))]
    right = [all(type(row[n]) in {int, float} for row in values) and bool(values) for n in range(len(names))]

    def line(texts: Sequence[str]) -> str:
        padded = (
            text.rjust(width) if to_right else text.ljust(width)
            for text, width, to_right in zip(texts, widths, right, strict=True)
        )
        return "  ".join(padded).rstrip()

    return "\n".join([line(names), *map(line, cells)])


def pairs(values: Mapping[str, Any]) -> str:
    """One name and value per line."""
    width = max(map(len, values), default=0)
    return "\n".join(f"{name:<{width}}  {printable(shown(value))}" for name, value in values.items())


def as_csv(names: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """A text that a spreadsheet would take for a formula gets an apostrophe before it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow([_cell(plain(row[name])) for name in names])
    return out.getvalue()


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
