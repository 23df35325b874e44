"""Formats rows as an aligned table, as CSV, or as a list of names and values."""

import csv
import io
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

import click

from awning.cli.report import print_result
from awning.client.reseller import Money
from awning.client.secret import escaped, printable
from awning.errors import ConfigurationError

LONGEST = 60
SHORTEST = 8
_GAP = "  "
_FORMULA = ("=", "+", "-", "@")


def table(names: Sequence[str], rows: Iterable[Mapping[str, Any]], *, room: int | None = None) -> str:
    """Return the rows as a table with aligned columns; columns that have only numbers are aligned to the right.

    Control characters are replaced, and texts longer than `LONGEST` are cut. `room` is the width of the terminal. To
    fit into it, the widest text columns shrink, but not below `SHORTEST`.
    """
    values = [[row[name] for name in names] for row in rows]
    columns = list(zip(*values, strict=True)) if values else [()] * len(names)
    numbers = [bool(column) and all(type(value) in {int, float} for value in column) for column in columns]
    lines = [list(names), *([printable(cell_text(value), limit=LONGEST) for value in row] for row in values)]
    widths = [max(map(_cells, texts)) for texts in zip(*lines, strict=True)]
    if room is not None:
        may_shrink = [any(type(value) is str for value in column) for column in columns]
        _narrow(widths, may_shrink, room - len(_GAP) * (len(names) - 1))
    return "\n".join(_GAP.join(map(_pad, line, widths, numbers)).rstrip() for line in lines)


def terminal_room() -> int | None:
    """Return the width of the terminal; None when the output is not a terminal and COLUMNS is not set."""
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        return shutil.get_terminal_size().columns
    return None


def pairs(values: Mapping[str, Any]) -> str:
    """Return one line for each name with its value."""
    width = max(map(len, values), default=0)
    lines = (f"{name:<{width}}  {printable(cell_text(value))}" for name, value in values.items())
    return "\n".join(line.rstrip() for line in lines)


def as_csv(names: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Return the rows as CSV, each in one line.

    Control and invisible characters of a text are escaped, and a text that a spreadsheet would read as a formula gets
    an apostrophe before it. A full-width `=` counts as one there.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow([_csv_cell(row[name]) for name in names])
    return out.getvalue()


csv_option = click.option("--csv", "csv_", is_flag=True, help="CSV on standard output.")


def check_one_form(csv_: bool, as_json: bool) -> None:
    if csv_ and as_json:
        raise ConfigurationError("--csv and --json exclude each other")


def print_rows(
    as_json: bool,
    names: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
    nothing: str | Iterable[str],
    /,
    *,
    csv_: bool = False,
    **document: Any,
) -> None:
    """Print rows as a table, with --csv as CSV, with --json in a document. `nothing` replaces an empty table."""
    if csv_:
        click.echo(as_csv(names, rows), nl=False)
    else:
        lines = table(names, rows, room=terminal_room()) if rows else nothing
        print_result(as_json, lines, **document)


def json_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row in its JSON form."""
    return {name: json_value(value) for name, value in row.items()}


def json_value(value: Any) -> Any:
    """Return a value in its JSON form."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Money):
        return {"currency": value.currency, "amount": str(value.rounded().amount)}
    return str(value) if isinstance(value, Decimal) else value


def cell_text(value: Any) -> str:
    """Return the text of a value in a table."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M")
    return str(value)


def _narrow(widths: list[int], may_shrink: Sequence[bool], room: int) -> None:
    """Shrink the widest column in `may_shrink` by one character at a time, but not below `SHORTEST`, until all fit."""
    while sum(widths) > room:
        widest = max((w, n) for n, w in enumerate(widths) if may_shrink[n]) if any(may_shrink) else (0, 0)
        if widest[0] <= SHORTEST:
            return
        widths[widest[1]] -= 1


def _pad(text: str, width: int, to_right: bool) -> str:
    if _cells(text) > width:
        while _cells(text) > width - 1:
            text = text[:-1]
        text += "\N{HORIZONTAL ELLIPSIS}"
    space = " " * (width - _cells(text))
    return space + text if to_right else text + space


def _cells(text: str) -> int:
    """Return the width of a text in terminal cells: two for a wide character, none for a combining character."""
    if text.isascii():
        return len(text)
    marks = sum(unicodedata.combining(c) != 0 for c in text)
    return len(text) - marks + sum(unicodedata.east_asian_width(c) in {"W", "F"} for c in text)


def _csv_cell(value: Any) -> Any:
    if not isinstance(value, str):
        return str(value) if isinstance(value, Money) else "" if value is None else json_value(value)
    text = escaped(value)
    return f"'{text}" if unicodedata.normalize("NFKC", text.lstrip()[:1]).startswith(_FORMULA) else text
