"""Saved plans: a file of JSON lines that `publish apply PLAN` carries out.

The first line names the build and the state store. The last line has the number of cells and a hash, so a file that was
cut short or changed is refused. Each line between them is a cell. No line holds an authCode or an API key.
"""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, TextIO

from awning.errors import ConfigurationError
from awning.publish.cells import FOREIGN
from awning.publish.plan.planned_cell import Action, PlannedCell

SCHEMA_VERSION = 1
SAVED = ("key", "language", "action", "reason", "seq", "stamp")
"""The properties of a planned cell that a plan saves."""
REMAKE = "make it again: awning publish plan -o FILE"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanHeader:
    """What a plan was made for: the fingerprint of the build, the address of the service, the state store.

    `data` is a hash of the data schema, which the fingerprint does not know, and of what migrates app data
    (`BuildFiles.data_hash`). `heads` is whether head snippets are published, `refreshed` whether the plan was made by
    reading the service.
    """

    created_at: str
    fingerprint: str
    release: int | None
    base_url: str
    state: str
    heads: bool
    refreshed: bool
    data: str = ""


class PlanWriter:
    """Writes the lines of a plan."""

    def __init__(self, file: TextIO, header: PlanHeader) -> None:
        self._file = file
        self._hash = hashlib.sha256()
        self._cells = 0
        self._write({"schema_version": SCHEMA_VERSION, "plan": asdict(header)})

    def add(self, cell: PlannedCell) -> None:
        """Add a cell. Accepted foreign content is a conflict here, because the acceptance may end before the apply."""
        if cell.is_accepted:
            cell = replace(cell, action=Action.CONFLICT, reason=FOREIGN)
        self._write({name: getattr(cell, name) for name in SAVED})
        self._cells += 1

    def end(self) -> None:
        self._file.write(json.dumps({"cells": self._cells, "sha256": self._hash.hexdigest()}) + "\n")

    def _write(self, value: dict[str, Any]) -> None:
        line = json.dumps(value, ensure_ascii=False) + "\n"
        self._hash.update(line.encode())
        self._file.write(line)


@contextmanager
def writing_plan(path: Path, header: PlanHeader) -> Iterator[PlanWriter]:
    """Write a plan to a file that only its owner can read. The file appears when the block ends without an error.

    Raises ConfigurationError when the file cannot be created.
    """
    new = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        descriptor = os.open(new, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written ({error.strerror})") from None
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            writer = PlanWriter(file, header)
            yield writer
            writer.end()
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedPlan:
    """A plan in a file that was checked completely. Its cells are read again when they are used."""

    path: Path
    header: PlanHeader
    cells: int

    def instances(self) -> Iterator[tuple[str, list[PlannedCell]]]:
        """Yield the keyed hash and the cells of each instance, in the order of the plan."""
        for key, cells in groupby(self._cells(), key=lambda cell: cell.key):
            yield key, list(cells)

    def _cells(self) -> Iterator[PlannedCell]:
        for line in _cell_lines(self.path, self.cells):
            fields = {name: line[name] for name in SAVED}
            yield PlannedCell(**{**fields, "instance": line["key"], "action": Action(line["action"])})


def _cell_lines(path: Path, count: int) -> Iterator[dict[str, Any]]:
    """Yield the lines of a plan that hold cells."""
    with path.open(encoding="utf-8") as file:
        next(file)
        for _ in range(count):
            line: dict[str, Any] = json.loads(next(file))
            yield line


def read_plan(path: Path) -> SavedPlan:
    """Check a saved plan completely, and return it.

    Raises ConfigurationError when the file cannot be read, is not a plan of this version, was cut short or was changed.
    """
    digest = hashlib.sha256()
    try:
        with path.open(encoding="utf-8") as file:
            lines = 0
            first = last = file.readline()
            for line in file:
                digest.update(last.encode())
                last = line
                lines += 1
        header, end = json.loads(first), json.loads(last)
        if header["schema_version"] != SCHEMA_VERSION:
            raise ConfigurationError(f"{path} is a plan of another version", hint=REMAKE)
        plan = SavedPlan(path=path, header=PlanHeader(**header["plan"]), cells=end["cells"])
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read ({error.strerror})") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise ConfigurationError(f"{path} is not a plan, or was cut", hint=REMAKE) from None
    if end["sha256"] != digest.hexdigest() or plan.cells != lines - 1:
        raise ConfigurationError(f"{path} is not what was planned: it was changed", hint=REMAKE)
    return plan
