"""The inventory as a CSV table with the columns auth_code, languages, name, labels.

Spaces separate languages and labels. Only the column `auth_code` is required. A property without a column does not
change; an empty field clears the property. The file holds authCodes, so only its owner can read it.
"""

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from awning.client.secret import escaped
from awning.diagnostics import Diagnostic, Place, did_you_mean
from awning.errors import ConfigurationError, Faulty
from awning.publish.inventory.inventory import Instance, Inventory

COLUMNS = ("auth_code", "languages", "name", "labels")
_HEADER = ",".join(COLUMNS)
_QUOTES = 'a field in quotes ends with a quote, and a quote in it is written twice: "a ""b"""'
_LINE_END = re.compile(r"\r\n|\r|\n")
_SEPARATORS = {
    ",": 'a comma (",")',
    ";": 'a semicolon (";")',
    "\t": "a tab",
    "|": 'a bar ("|")',
    ":": 'a colon (":")',
}


def to_csv(instances: Iterable[Instance]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for instance in instances:
        languages, labels = " ".join(instance.languages), " ".join(instance.labels)
        writer.writerow((instance.code.reveal(), languages, instance.name or "", labels))
    return text.getvalue()


def from_csv(text: str, inventory: Inventory, *, path: str) -> tuple[Instance, ...]:
    """Return the instances of a table. Raises Faulty with all invalid lines; the error contains no authCode."""
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    faults: list[Diagnostic] = []
    instances: list[Instance] = []
    known = _known(inventory)
    lines: dict[str, int] = {}
    placed: list[tuple[Instance, int]] = []
    try:
        _check_separator(text, path)
        _check_columns(reader.fieldnames, path)
        for row in reader:
            line = _first_line(row, last=reader.line_num)
            try:
                instance = _instance(row, inventory)
                first = lines.setdefault(instance.key, line)
                if first != line:
                    faults.append(_fault(f"this auth_code is on line {first} already", path, line))
                instances.append(_merge_row(known.get(instance.key), instance, reader.fieldnames or ()))
                placed.append((instances[-1], line))
            except ConfigurationError as error:
                faults.append(_fault(error.message, path, line, error.hint))
    except csv.Error as error:
        line = reader.line_num + 1  # the reader has counted the rows before it
        faults.append(_fault(f"a field is not valid CSV: {error}", path, line, _QUOTES))
    others = {i.name for i in inventory.all() if i.name is not None and i.key not in lines}
    faults += _name_faults(placed, others, path)
    if faults:
        raise Faulty(sorted(faults, key=lambda fault: fault.place.line if fault.place else 0))
    return tuple(instances)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCounts:
    """How many instances of a table were added (new), changed, unchanged (both known before), or restored (removed
    before).
    """

    added: int
    changed: int
    unchanged: int
    restored: int


def import_csv(text: str, inventory: Inventory, *, path: str) -> ImportCounts:
    """Add or change the instances of a table, all or none.

    Raises Faulty with all invalid lines; the error contains no authCode.
    """
    instances = from_csv(text, inventory, path=path)
    before = {instance.key: instance for instance in inventory.all()}
    unchanged = sum(before.get(instance.key) == instance for instance in instances)
    removed = {instance.key for instance in inventory.removed()}
    restored = sum(instance.key in removed for instance in instances)
    added, known = inventory.put(instances)
    return ImportCounts(
        added=added - restored, changed=known - unchanged, unchanged=unchanged, restored=restored
    )


def write_csv(instances: Iterable[Instance], file: Path) -> None:
    """Write the table to a file that only its owner can read."""
    descriptor = os.open(file, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    file.chmod(0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        out.write(to_csv(instances))


def _known(inventory: Inventory) -> dict[str, Instance]:
    """Return all instances by key, including the removed ones.

    A removed instance comes without its name when another instance has that name now.
    """
    here = {instance.key: instance for instance in inventory.all()}
    names = {instance.name for instance in here.values()}
    for instance in inventory.removed():
        here[instance.key] = replace(instance, name=None) if instance.name in names else instance
        names.add(instance.name)
    return here


def _merge_row(known: Instance | None, listed: Instance, columns: Iterable[str]) -> Instance:
    """Return the known instance with the properties that the table has for it; for a new instance, return `listed`."""
    if known is None:
        return listed
    return replace(known, **{name: getattr(listed, name) for name in columns if name != "auth_code"})


def _name_faults(
    placed: Iterable[tuple[Instance, int]], others: AbstractSet[str], path: str
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each line whose name is taken: by an earlier line, or by an instance outside of the table.

    `others` has the names of the instances outside of the table.
    """
    first: dict[str, tuple[str, int]] = {}
    for instance, line in placed:
        if instance.name is None:
            continue
        key, at = first.setdefault(instance.name, (instance.key, line))
        if instance.name in others:
            yield _fault(f'the name "{instance.name}" belongs to another instance', path, line)
        elif key != instance.key:
            yield _fault(f'the name "{instance.name}" is on line {at} already', path, line)


def _first_line(row: Mapping[str, str | list[str] | None], *, last: int) -> int:
    """Return the line on which a row begins: a field in quotes can have several lines.

    The fields beyond the last column are a list.
    """
    fields = chain.from_iterable(
        field if isinstance(field, list) else [field or ""] for field in row.values()
    )
    return last - sum(len(_LINE_END.findall(field)) for field in fields)


def _instance(row: dict[str, str | None], inventory: Inventory) -> Instance:
    if None in row or None in row.values():
        raise ConfigurationError("this line has another number of columns than the first")
    return inventory.instance(
        (row["auth_code"] or "").strip(),
        name=(row.get("name") or "").strip(" ") or None,
        languages=row.get("languages") or "",
        labels=row.get("labels") or "",
    )


def _check_separator(text: str, path: str) -> None:
    """Raise Faulty when the first line is not separated by commas. The error names the separator."""
    first = next(iter(text.removeprefix("\ufeff").splitlines()), "").strip().strip('"')
    if first.lower().startswith("sep="):
        separator = _SEPARATORS.get(first[4:], f'"{escaped(first[4:])}"')
        message = f"the first line says that the separator is {separator}, for a spreadsheet program"
        raise Faulty(
            [_fault(message, path, 1, f"remove this line; the columns are separated by commas: {_HEADER}")]
        )
    for separator, name in _SEPARATORS.items():
        columns = [column.strip().strip('"') for column in first.split(separator)]
        if separator != "," and len(columns) > 1 and set(columns) & set(COLUMNS):
            hint = f"separate them by commas, in each line: {_HEADER}"
            raise Faulty([_fault(f"the columns are separated by {name}", path, 1, hint)])


def _check_columns(names: Iterable[str] | None, path: str) -> None:
    columns = list(names or ())
    faults = [
        _fault(f'unknown column "{escaped(name)}"', path, 1, did_you_mean(name, COLUMNS))
        for name in columns
        if name not in COLUMNS
    ]
    faults += [
        _fault(f'the column "{name}" is there twice', path, 1) for name in COLUMNS if columns.count(name) > 1
    ]
    if "auth_code" not in columns:
        faults.append(_fault('there is no column "auth_code"', path, 1, f"the first line is {_HEADER}"))
    if faults:
        raise Faulty(faults)


def _fault(message: str, path: str, line: int, hint: str | None = None) -> Diagnostic:
    return Diagnostic(rule="inventory-table", message=message, place=Place(path=path, line=line), hint=hint)
